#!/usr/bin/env python3
"""Runs `vllm bench serve` from a wheel's unpacked sources without torch and CUDA.

usage: client_only.py FOLDER [options of vllm bench serve]
FOLDER holds the wheel's vllm/ tree. vllm/benchmarks/*.py run as they are: the loop, the request function and the arithmetic
of the metrics are the wheel's. Only what they import and a text benchmark over HTTP never calls is stood in for: packages
whose __init__ loads torch keep their path and lose their __init__; the modules named below are replaced.
"""

import importlib.machinery
import logging
import os
import sys
import types


def module(name, path=None, **members):
    """Registers a module of that name that holds `members`; with a path, a package whose submodules load from there."""
    made = types.ModuleType(name)
    made.__dict__.update(members)
    if path is not None:
        made.__path__ = [path]
        made.__spec__ = importlib.machinery.ModuleSpec(name, None, is_package=True)
    sys.modules[name] = made
    if "." in name:
        parent, child = name.rsplit(".", 1)
        setattr(sys.modules[parent], child, made)


def init_logger(name):
    """vllm.logger's loggers also have a `…_once` of every level."""
    logger = logging.getLogger(name)
    for level in ("debug", "info", "warning", "error"):
        setattr(logger, level + "_once", getattr(logger, level))
    return logger


def get_tokenizer(name, *_args, **_options):
    """As vllm.tokenizers does for a Hugging Face tokenizer."""
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(name)


class Unused:
    """Stands for a type that is only named in annotations."""


def stand_in(base):
    for package in ("", "utils", "lora", "multimodal", "transformers_utils"):
        module("vllm" + ("." + package if package else ""), os.path.join(base, package))
    module("vllm.logger", init_logger=init_logger)
    module("vllm.inputs", MultiModalDataDict=dict)
    module("vllm.lora.request", LoRARequest=Unused)
    module("vllm.lora.utils", get_adapter_absolute_path=lambda path: path)
    module("vllm.multimodal.audio", get_audio_duration=None)
    module("vllm.multimodal.image", convert_image_mode=None)
    module("vllm.multimodal.utils", encode_image_url=None, fetch_image=None)
    module("vllm.transformers_utils.repo_utils", hf_api=None)
    module("vllm.utils.mistral", is_mistral_tokenizer=lambda _tokenizer: False)
    module("vllm.tokenizers", TokenizerLike=object, get_tokenizer=get_tokenizer)


def main():
    folder = sys.argv.pop(1)
    stand_in(os.path.join(folder, "vllm"))
    from vllm.benchmarks.serve import add_cli_args, main as serve
    from vllm.utils.argparse_utils import FlexibleArgumentParser

    parser = FlexibleArgumentParser("vllm bench serve")
    add_cli_args(parser)
    serve(parser.parse_args())


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs SGLang's serving benchmark from a wheel's unpacked files without torch and CUDA.

usage: client_only.py FOLDER python|rust [options of that client]
FOLDER holds the wheel's sglang/ tree. sglang/benchmark/*.py and the Rust extension run as they are: the loop, the request function and
the arithmetic of the metrics are the wheel's. Only packages whose __init__ loads torch lose it and keep their path, and two imports
that a text benchmark never calls are stood in for.
"""

import glob
import importlib.machinery
import importlib.util
import os
import sys
import types

RUST = "sglang.srt.rust_extensions._bench"


def module(name, path=None, **members):
    """Registers a module of that name that holds `members`; with a path, a package whose submodules load from there."""
    made = types.ModuleType(name)
    made.__dict__.update(members)
    made.__spec__ = importlib.machinery.ModuleSpec(name, None, is_package=path is not None)
    if path is not None:
        made.__path__ = [path]
    sys.modules[name] = made
    if "." in name:
        parent, child = name.rsplit(".", 1)
        setattr(sys.modules[parent], child, made)


def stand_in(base):
    for package in ("", "srt", "srt.utils", "srt.disaggregation"):
        name = "sglang" + ("." + package if package else "")
        module(name, os.path.join(base, *package.split(".")))
    # A constant that only --fake-prefill sends.
    module("sglang.srt.disaggregation.utils", FAKE_BOOTSTRAP_HOST=None)
    # Only the mmmu data set calls it.
    module("datasets", load_dataset=None)


def rust_extension(base):
    """The extension, past sglang's own loader, which may build it anew."""
    file = glob.glob(os.path.join(base, "srt", "rust_extensions", "_bench*.so"))[0]
    spec = importlib.util.spec_from_file_location(RUST, file)
    extension = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(extension)
    return extension


def main():
    _, folder, client = sys.argv[:3]
    del sys.argv[1:3]
    base = os.path.join(folder, "sglang")
    stand_in(base)
    if client == "rust":
        from sglang.benchmark.rust_client import main as rust

        sys.exit(rust(extension=rust_extension(base)))
    from sglang.benchmark.serving import cli_main

    cli_main()


if __name__ == "__main__":
    main()

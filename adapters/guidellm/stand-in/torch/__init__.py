"""
A stand-in for torch, by Tare: what guidellm's data loader takes of it, and nothing else.

guidellm uses torch for one thing, to hand out prompts (data/loaders/torch.py): an IterableDataset, a DataLoader without batches,
and a seeded Generator. The real one takes gigabytes. Here the loader runs in guidellm's main process, where the real one by default
has a process of its own; nothing of it runs in the workers that send requests and measure.
"""

from . import nn, utils


class Generator:
    """Seeds shuffling in the real one. An iterable data set is never shuffled, so nothing is drawn from it."""

    def manual_seed(self, seed):
        self.seed = seed
        return self


class Tensor:
    """Nothing is one: `datasets` asks of every value that it pickles (utils/_dill.py)."""


__all__ = ["Generator", "Tensor", "nn", "utils"]

from typing import Generic, TypeVar

Item = TypeVar("Item")


def get_worker_info():
    """None: there are no loader processes."""
    return None


class DataLoader(Generic[Item]):
    """Hands out a data set's items one by one, each through `collate_fn` as a batch of one."""

    def __init__(self, dataset, batch_size=1, shuffle=False, collate_fn=None, **ignored):
        if batch_size != 1 or shuffle or collate_fn is None:
            raise ValueError("Tare's stand-in for torch has batches of one, not shuffled; install guidellm with the real torch")
        self.dataset = dataset
        self.collate_fn = collate_fn

    def __iter__(self):
        for item in self.dataset:
            yield self.collate_fn([item])

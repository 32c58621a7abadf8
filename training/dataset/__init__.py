"""Recorded games as data: `fm-env record` writes them, `load` reads them. Needs no deep learning library."""

from training.dataset.load import Dataset, Episode, Rows, load
from training.dataset.record import Recording, record

__all__ = ["Dataset", "Episode", "Recording", "Rows", "load", "record"]

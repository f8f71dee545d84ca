"""Slow and obvious implementations, from the definitions alone, to test the fast ones against."""

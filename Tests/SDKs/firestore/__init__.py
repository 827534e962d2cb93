"""Firestore seen from outside: its protocol, its peer, and what to ask both."""

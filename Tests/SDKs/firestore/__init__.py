"""Firestore as a client sees it: its protocol, Google's emulator, and the cases for both servers.
"""

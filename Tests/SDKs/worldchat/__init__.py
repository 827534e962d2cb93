"""The table of tests of WorldChat's security rules, in firestore.rules at the project's root."""

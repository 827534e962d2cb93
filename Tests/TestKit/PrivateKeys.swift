/// Private keys that no service account uses.
package enum PrivateKeys {
  package static let ellipticCurve = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg9BclWRlc9jzgxWQT
    RVlNTUYTYjFDjqTI6V6Z/4mgRxGhRANCAAT+YjYbdlCRDCcXrWQDIONTZ+MlcxHN
    t+kOzwtr8zkNE+AiTn92ww7YDxpXYifiFJRel9VnjA1KTUe0tuW//W1+
    -----END PRIVATE KEY-----

    """

  /// A key with a passphrase. libcrypto would prompt for the passphrase at the terminal.
  package static let encrypted = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhH2YkdvQyAJAICCAAw
    DAYIKoZIhvcNAgkFADAdBglghkgBZQMEAQIEELJQQjpexbdlKu8tA4R6fasEgZBF
    /xJQfipewDAAnzaZg2cuim4HoSD+phS5PGTqur1x3X/nQ8+NhRwVKGWH5geUkneY
    oq4B/ExvdKiHUM//A2HBaMTWLJm05RHWvLgpJHT5wtVVmZrAxBBz+4lMWPi25Pdg
    hlGm+bMC3aD7mgEg8mYXUKp4UErg2rBAFiI+Lma0mIyAbirUOiqNlRQL3WTLSNU=
    -----END ENCRYPTED PRIVATE KEY-----

    """
}

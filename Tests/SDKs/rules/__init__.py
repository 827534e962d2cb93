"""Random rulesets, documents and requests, which two servers with security rules judge alike."""

extension PriceTable {
  /// The list prices of November 2025, without batch discounts or free quotas.
  ///
  /// An engine that isn't in the table counts as unpriced.
  ///
  /// Sources: platform.openai.com/docs/pricing, platform.claude.com/docs/en/about-claude/pricing,
  /// cloud.google.com/translate/pricing.
  package static let standard = PriceTable(
    models: [
      "gpt-4o": Model(input: 2.5, cachedInput: 1.25, output: 10),
      "gpt-4o-mini": Model(input: 0.15, cachedInput: 0.075, output: 0.6),
      "gpt-4.1": Model(input: 2, cachedInput: 0.5, output: 8),
      "gpt-4.1-mini": Model(input: 0.4, cachedInput: 0.1, output: 1.6),
      "gpt-4.1-nano": Model(input: 0.1, cachedInput: 0.025, output: 0.4),
      "gpt-5": Model(input: 1.25, cachedInput: 0.125, output: 10),
      "gpt-5-mini": Model(input: 0.25, cachedInput: 0.025, output: 2),
      "gpt-5-nano": Model(input: 0.05, cachedInput: 0.005, output: 0.4),
      "claude-haiku-4-5": Model(input: 1, cachedInput: 0.1, output: 5),
      "claude-sonnet-4-5": Model(input: 3, cachedInput: 0.3, output: 15),
      "claude-opus-4-5": Model(input: 5, cachedInput: 0.5, output: 25),
      // The emulator's model, which costs nothing.
      "emulator-rules": Model(input: 0, output: 0),
    ],
    // The emulator's engines have Google's price; a LibreTranslate server is self-hosted and costs
    // nothing.
    translation: [
      "nmt": 20, "phrasebook": 20, "apertium*": 20, "pseudo": 20, "libretranslate": 0,
    ]
  )
}

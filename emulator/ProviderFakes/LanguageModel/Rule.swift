import Core

/// A rule, which computes the values of the properties in one function's schema.
enum Rule: CaseIterable {
  case idiom, replies, answer

  /// The properties that the rule fills.
  var names: Set<String> {
    switch self {
    case .idiom:
      [
        "hasCulturalContext", "type", "idiomDetected", "explanation", "relevance",
        "suggestedEquivalent",
      ]
    case .replies: ["suggestions"]
    case .answer: ["answer", "found", "sources"]
    }
  }

  /// Returns values for the properties in `names`, or an empty object if the input has no message
  /// to explain.
  ///
  /// - Parameter language: returns the language that a field of the input requests.
  func facts(
    from input: ModelInput,
    in language: (ModelInput.LanguageMember) -> SpokenLanguage
  ) -> JSONObject {
    switch self {
    case .idiom:
      guard let message = input.message ?? input.messages.last else { return [:] }
      return IdiomExplanation().facts(about: message, for: language(.readerLanguage))
    case .replies:
      let newest = input.messages.last { $0.sender != input.replier } ?? input.messages.last
      let suggestions = ReplyBook.standard.suggestions(
        for: newest ?? input.message,
        in: language(.replyLanguage),
        translation: language(.translationLanguage),
        usesEmoji: input.usesEmoji
      )
      let items = suggestions.map {
        JSONValue.object(["text": .string($0.text), "translation": .string($0.translation)])
      }
      return ["suggestions": .array(items)]
    case .answer:
      let question = input.question ?? ""
      let languageOfAnswer = language(.answerLanguage)
      return ExtractiveAnswer(
        to: ConversationQuestion(question, mentions: input.mentions),
        from: input.messages,
        in: languageOfAnswer
      ).facts
    }
  }
}

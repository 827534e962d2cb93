/// The table. Each cause has a line for every function that meets it in its own way.
extension ProviderFault {
  static let table = translation + models + push + tokens

  // MARK: Translation

  private static let translationCauses =
    FaultCause.lost(calls: 2) + FaultCause.unreadable(calls: 2) + [
      FaultCause("500", FaultCause.status(500), 75, "UNAVAILABLE", calls: 2),
      FaultCause(
        "503, Retry-After 60",
        FaultCause.status(503, FaultCause.retryAfterMinute),
        75,
        "UNAVAILABLE",
        calls: 1,
        retryAfter: 60_000
      ),
      FaultCause("429", FaultCause.status(429), 75, "RESOURCE_EXHAUSTED", calls: 2),
      FaultCause(
        "429, Retry-After 60",
        FaultCause.status(429, FaultCause.retryAfterMinute),
        75,
        "RESOURCE_EXHAUSTED",
        calls: 1,
        retryAfter: 60_000
      ),
      FaultCause(
        "403, userRateLimitExceeded",
        FaultCause.status(403, #","code":"userRateLimitExceeded""#),
        75,
        "RESOURCE_EXHAUSTED",
        calls: 1
      ),
      FaultCause(
        "400, keyInvalid",
        FaultCause.status(400, #","code":"keyInvalid""#),
        78,
        "UNAUTHENTICATED",
        calls: 1
      ),
      FaultCause(
        "403, forbidden",
        FaultCause.status(403, #","code":"forbidden""#),
        78,
        "PERMISSION_DENIED",
        calls: 1
      ),
      FaultCause(
        "400, Bad language pair",
        FaultCause.status(400, #","code":"invalid""#),
        65,
        "INVALID_ARGUMENT",
        calls: 1
      ),
      redirect,
    ]

  private static let redirect = FaultCause(
    "a redirect",
    FaultCause.status(307, #","headers":{"Location":"http://127.0.0.1:1/"}"#),
    78,
    "FAILED_PRECONDITION",
    calls: 1
  )

  private static let translation =
    translationCauses.flatMap { cause in
      [
        row("translation", cause, "translateMessage", .retryIcon, pace: .budget),
        // A push doesn't wait for a translator that is down.
        row("translation", cause, "sendNotification", .originalPush, pace: .budget, isOK: true),
      ]
    } + [
      passing("translation", "503, once", "translateMessage", .translated),
      passing("translation", "503, once", "sendNotification", .push),
    ]

  // MARK: Models

  private static let questions = ["analyzeMessage", "smartReplies", "askAI"]

  /// What every model does; each meets another function, as all three ask in the same way.
  private static let modelCauses =
    FaultCause.lost(calls: 2) + FaultCause.unreadable(calls: 2) + [
      FaultCause("500", FaultCause.status(500), 75, "UNAVAILABLE", calls: 2),
      FaultCause(
        "500, x-should-retry: false",
        FaultCause.status(500, #","headers":{"x-should-retry":"false"}"#),
        75,
        "UNAVAILABLE",
        calls: 1
      ),
      FaultCause(
        "503, Retry-After 60",
        FaultCause.status(503, FaultCause.retryAfterMinute),
        75,
        "UNAVAILABLE",
        calls: 1,
        retryAfter: 60_000
      ),
      FaultCause("429", FaultCause.status(429), 75, "RESOURCE_EXHAUSTED", calls: 2),
      FaultCause("401", FaultCause.status(401), 78, "PERMISSION_DENIED", calls: 1),
      FaultCause("404", FaultCause.status(404), 78, "NOT_FOUND", calls: 1),
      FaultCause("400", FaultCause.status(400), 78, "FAILED_PRECONDITION", calls: 1),
      redirect,
    ]

  /// What a model says; each function has its own idea of a good answer.
  private static let answers = [
    FaultCause("finish_reason length", FaultCause.kind("length"), 75, "UNAVAILABLE", calls: 2),
    FaultCause("refusal", FaultCause.kind("refusal"), 65, "FAILED_PRECONDITION", calls: 1),
    FaultCause(
      "content filter",
      FaultCause.kind("content-filter"),
      65,
      "FAILED_PRECONDITION",
      calls: 1
    ),
    FaultCause(
      "the wrong language",
      FaultCause.kind("wrong-language"),
      75,
      "UNAVAILABLE",
      calls: 2
    ),
    FaultCause("a link and markup", FaultCause.kind("link"), 75, "UNAVAILABLE", calls: 2),
  ]

  private static let openAICauses = [
    FaultCause(
      "429, insufficient_quota",
      FaultCause.status(429, #","code":"insufficient_quota""#),
      78,
      "RESOURCE_EXHAUSTED",
      calls: 1
    ),
    FaultCause(
      "400, context_length_exceeded",
      FaultCause.status(400, #","code":"context_length_exceeded""#),
      65,
      "FAILED_PRECONDITION",
      calls: 1
    ),
  ]

  private static let anthropicCauses = [
    FaultCause(
      "529, overloaded_error",
      FaultCause.status(529, #","code":"overloaded_error""#),
      75,
      "UNAVAILABLE",
      calls: 2
    ),
    FaultCause("402", FaultCause.status(402), 78, "RESOURCE_EXHAUSTED", calls: 1),
  ]

  private static let models =
    zip(modelCauses + openAICauses, (0...).lazy).map { cause, index in
      model("openai", cause, questions[index % questions.count])
    }
    + answers.flatMap { cause in questions.map { model("openai", cause, $0) } }
    + questions.map { passing("openai", "503, once", $0, .answer) }
    + zip(anthropicCauses + answers, (0...).lazy).map { cause, index in
      model("anthropic", cause, questions[index % questions.count])
    }

  private static func model(
    _ provider: String,
    _ cause: FaultCause,
    _ function: String
  ) -> ProviderFault {
    let sight: Sight =
      switch (cause.exitCode, cause.title) {
      case (78, _): .broken
      case (65, "400, context_length_exceeded"): .tooLong
      case (65, _): .declined
      default: function == "smartReplies" ? .fallback : .unavailable
      }
    return row(provider, cause, function, sight, pace: .deadline, isOK: sight == .fallback)
  }

  // MARK: Pushes

  private static let pushCauses =
    FaultCause.lost(calls: 1) + FaultCause.unreadable(calls: 1) + [
      FaultCause(
        "503, UNAVAILABLE, Retry-After 60",
        FaultCause.status(503, #","code":"UNAVAILABLE""# + FaultCause.retryAfterMinute),
        75,
        "UNAVAILABLE",
        calls: 1,
        retryAfter: 60_000
      ),
      FaultCause(
        "500, INTERNAL",
        FaultCause.status(500, #","code":"INTERNAL""#),
        75,
        "UNAVAILABLE",
        calls: 1
      ),
      FaultCause(
        "429, QUOTA_EXCEEDED",
        FaultCause.status(429, #","code":"QUOTA_EXCEEDED""#),
        75,
        "RESOURCE_EXHAUSTED",
        calls: 1,
        retryAfter: 60_000
      ),
      FaultCause(
        "401, THIRD_PARTY_AUTH_ERROR",
        FaultCause.status(401, #","code":"THIRD_PARTY_AUTH_ERROR""#),
        78,
        "PERMISSION_DENIED",
        calls: 1
      ),
      FaultCause("403", FaultCause.status(403), 78, "PERMISSION_DENIED", calls: 1), redirect,
    ]

  private static let deadTokens = [
    FaultCause(
      "404, UNREGISTERED",
      FaultCause.status(404, #","code":"UNREGISTERED""#),
      0,
      nil,
      calls: 1
    ),
    FaultCause(
      "403, SENDER_ID_MISMATCH",
      FaultCause.status(403, #","code":"SENDER_ID_MISMATCH""#),
      0,
      nil,
      calls: 1
    ),
  ]

  private static let push =
    pushCauses.map {
      row("fcm", $0, "sendNotification", $0.isCarriedOut ? .push : .noPush, pace: .budget)
    } + deadTokens.map { row("fcm", $0, "sendNotification", .deadToken, pace: .budget) }

  // MARK: Access tokens

  private static let tokens = [
    FaultCause("500", FaultCause.status(500), 75, "UNAVAILABLE", calls: 3),
    FaultCause("HTML, 502", FaultCause.kind("html"), 75, "UNAVAILABLE", calls: 3),
    FaultCause("malformed JSON", FaultCause.kind("malformed-json"), 75, "UNAVAILABLE", calls: 1),
    FaultCause(
      "400, invalid_grant",
      FaultCause.status(400, #","code":"invalid_grant""#),
      78,
      "UNAUTHENTICATED",
      calls: 1
    ),
    redirect,
  ].map { row("oauth", $0, "sendNotification", .noPush, pace: .budget) }

  // MARK: Rows

  private static func row(
    _ provider: String,
    _ cause: FaultCause,
    _ function: String,
    _ sight: Sight,
    pace: Pace,
    isOK: Bool = false
  ) -> ProviderFault {
    ProviderFault(
      provider: provider,
      title: cause.title,
      members: cause.members,
      function: function,
      exitCode: isOK ? 0 : cause.exitCode,
      code: isOK ? nil : cause.code,
      calls: cause.calls,
      sight: sight,
      retryAfter: isOK ? nil : cause.retryAfter,
      pace: cause.isSlow ? pace : .quick,
      isCarriedOut: cause.isCarriedOut
    )
  }

  /// What the second try mends.
  private static func passing(
    _ provider: String,
    _ title: String,
    _ function: String,
    _ sight: Sight
  ) -> ProviderFault {
    ProviderFault(
      provider: provider,
      title: title,
      members: FaultCause.status(503),
      function: function,
      times: 1,
      exitCode: 0,
      calls: 2,
      sight: sight
    )
  }
}

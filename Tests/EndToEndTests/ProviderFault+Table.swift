/// The table of faults.
///
/// A cause that functions handle differently has one row for each function.
extension ProviderFault {
  static let table = translation + models + push + tokens

  // MARK: Translation

  private static let translation =
    FaultCause.translation.flatMap { cause in
      [
        row("translation", cause, "translateMessage", .retryIcon, pace: .budget),
        // A push is sent without a translation while the translation service is down.
        row("translation", cause, "sendNotification", .originalPush, pace: .budget, isOK: true),
      ]
    } + [
      passing("translation", "503, once", "translateMessage", .translated),
      passing("translation", "503, once", "sendNotification", .push),
    ]

  // MARK: Models

  private static let questions = ["analyzeMessage", "smartReplies", "askAI"]

  private static let models =
    zip(FaultCause.models + FaultCause.openAI, (0...).lazy).map { cause, index in
      model("openai", cause, questions[index % questions.count])
    }
    + FaultCause.answers.flatMap { cause in questions.map { model("openai", cause, $0) } }
    + questions.map { passing("openai", "503, once", $0, .answer) }
    + zip(FaultCause.anthropic + FaultCause.answers, (0...).lazy).map { cause, index in
      model("anthropic", cause, questions[index % questions.count])
    }

  private static func model(
    _ provider: String,
    _ cause: FaultCause,
    _ function: String
  ) -> ProviderFault {
    let sight: Sight =
      switch (cause.end.exitCode, cause.title) {
      case (78, _): .broken
      case (65, "400, context_length_exceeded"): .tooLong
      case (65, _): .declined
      default: function == "smartReplies" ? .fallback : .unavailable
      }
    return row(provider, cause, function, sight, pace: .deadline, isOK: sight == .fallback)
  }

  // MARK: Pushes

  private static let push =
    FaultCause.push.map {
      row("fcm", $0, "sendNotification", $0.isCarriedOut ? .push : .noPush, pace: .budget)
    } + FaultCause.deadTokens.map { row("fcm", $0, "sendNotification", .deadToken, pace: .budget) }

  // MARK: Access tokens

  private static let tokens = FaultCause.tokens.map {
    row("oauth", $0, "sendNotification", .noPush, pace: .budget)
  }

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
      exitCode: isOK ? 0 : cause.end.exitCode,
      code: isOK ? nil : cause.end.code,
      calls: cause.calls,
      sight: sight,
      retryAfter: isOK ? nil : cause.retryAfter,
      pace: cause.isSlow ? pace : .quick,
      isCarriedOut: cause.isCarriedOut
    )
  }

  /// Returns a fault that only the first request meets, so that the second one succeeds.
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

/// The causes of failure, by provider.
extension FaultCause {
  fileprivate static let translation =
    lost(calls: 2) + unreadable(calls: 2) + [
      FaultCause("500", status(500), .unavailable, calls: 2),
      FaultCause(
        "503, Retry-After 60",
        status(503, retryAfterMinute),
        .unavailable,
        calls: 1,
        retryAfter: 60_000
      ),
      FaultCause("429", status(429), .overQuota, calls: 2),
      FaultCause(
        "429, Retry-After 60",
        status(429, retryAfterMinute),
        .overQuota,
        calls: 1,
        retryAfter: 60_000
      ),
      FaultCause(
        "403, userRateLimitExceeded",
        status(403, #","code":"userRateLimitExceeded""#),
        .overQuota,
        calls: 1
      ),
      FaultCause(
        "400, keyInvalid",
        status(400, #","code":"keyInvalid""#),
        .unauthenticated,
        calls: 1
      ),
      FaultCause("403, forbidden", status(403, #","code":"forbidden""#), .denied, calls: 1),
      FaultCause("400, Bad language pair", status(400, #","code":"invalid""#), .invalid, calls: 1),
      redirect,
    ]

  private static let redirect = FaultCause(
    "a redirect",
    status(307, #","headers":{"Location":"http://127.0.0.1:1/"}"#),
    .misconfigured,
    calls: 1
  )

  /// The faults that every model has.
  ///
  /// All three functions send their requests in the same way, so each cause is tested with only one
  /// of them.
  fileprivate static let models =
    lost(calls: 2) + unreadable(calls: 2) + [
      FaultCause("500", status(500), .unavailable, calls: 2),
      FaultCause(
        "500, x-should-retry: false",
        status(500, #","headers":{"x-should-retry":"false"}"#),
        .unavailable,
        calls: 1
      ),
      FaultCause(
        "503, Retry-After 60",
        status(503, retryAfterMinute),
        .unavailable,
        calls: 1,
        retryAfter: 60_000
      ),
      FaultCause("429", status(429), .overQuota, calls: 2),
      FaultCause("401", status(401), .denied, calls: 1),
      FaultCause("404", status(404), .notFound, calls: 1),
      FaultCause("400", status(400), .misconfigured, calls: 1),
      redirect,
    ]

  /// The bad answers of a model. Each is tested with all functions, because each function checks
  /// answers in its own way.
  fileprivate static let answers = [
    FaultCause("finish_reason length", kind("length"), .unavailable, calls: 2),
    FaultCause("refusal", kind("refusal"), .declined, calls: 1),
    FaultCause("content filter", kind("content-filter"), .declined, calls: 1),
    FaultCause("the wrong language", kind("wrong-language"), .unavailable, calls: 2),
    FaultCause("a link and markup", kind("link"), .unavailable, calls: 2),
  ]

  fileprivate static let openAI = [
    FaultCause(
      "429, insufficient_quota",
      status(429, #","code":"insufficient_quota""#),
      .quotaUsedUp,
      calls: 1
    ),
    FaultCause(
      "400, context_length_exceeded",
      status(400, #","code":"context_length_exceeded""#),
      .declined,
      calls: 1
    ),
  ]

  fileprivate static let anthropic = [
    FaultCause(
      "529, overloaded_error",
      status(529, #","code":"overloaded_error""#),
      .unavailable,
      calls: 2
    ),
    FaultCause("402", status(402), .quotaUsedUp, calls: 1),
  ]

  fileprivate static let push =
    lost(calls: 1) + unreadable(calls: 1) + [
      FaultCause(
        "503, UNAVAILABLE, Retry-After 60",
        status(503, #","code":"UNAVAILABLE""# + retryAfterMinute),
        .unavailable,
        calls: 1,
        retryAfter: 60_000
      ),
      FaultCause("500, INTERNAL", status(500, #","code":"INTERNAL""#), .unavailable, calls: 1),
      FaultCause(
        "429, QUOTA_EXCEEDED",
        status(429, #","code":"QUOTA_EXCEEDED""#),
        .overQuota,
        calls: 1,
        retryAfter: 60_000
      ),
      FaultCause(
        "401, THIRD_PARTY_AUTH_ERROR",
        status(401, #","code":"THIRD_PARTY_AUTH_ERROR""#),
        .denied,
        calls: 1
      ),
      FaultCause("403", status(403), .denied, calls: 1), redirect,
    ]

  fileprivate static let deadTokens = [
    FaultCause("404, UNREGISTERED", status(404, #","code":"UNREGISTERED""#), .success, calls: 1),
    FaultCause(
      "403, SENDER_ID_MISMATCH",
      status(403, #","code":"SENDER_ID_MISMATCH""#),
      .success,
      calls: 1
    ),
  ]

  fileprivate static let tokens = [
    FaultCause("500", status(500), .unavailable, calls: 3),
    FaultCause("HTML, 502", kind("html"), .unavailable, calls: 3),
    FaultCause("malformed JSON", kind("malformed-json"), .unavailable, calls: 1),
    FaultCause(
      "400, invalid_grant",
      status(400, #","code":"invalid_grant""#),
      .unauthenticated,
      calls: 1
    ),
    redirect,
  ]
}

extension Vocabulary {
  /// Members whose keys are codes of languages.
  static let byLanguage: Set<String> = ["translations", "translationMeta"]

  /// Members of numbers that count or measure, however large they are.
  static let measures: Set<String> = [
    "ttl", "usageCount", "unread", "count", "promptVersion", "version", "durationMs", "latencyMs",
    "translationsServed", "seconds",
    "promptTokens", "completionTokens", "cost", "size", "width", "height", "iat", "exp",
    "auth_time",
  ]

  /// Whether a document's or a call's member is called so by WorldChat, Firebase or Firestore,
  /// rather than after somebody.
  static func isMember(_ name: String) -> Bool { members.contains(name) }

  /// What in an id of a collection is nobody's: of a count, `askAI_2025-10-21_` and then the user.
  static func unscrubbedPrefix(of id: String, in collection: String) -> Substring {
    guard collection == "limits" else { return "" }
    let user = id.split(separator: "_", maxSplits: 2, omittingEmptySubsequences: false).dropFirst(2)
    return id[..<(user.first?.startIndex ?? id.endIndex)]
  }

  /// A document that isn't called after anybody: where operators write what functions may do.
  static let controls = "config/functions"

  private static let members = types.union(languages).union(maps).union(byLanguage).union(measures)
    .union([
      // Firestore's documents, values and events.
      "name", "createTime", "updateTime", "value", "oldValue", "updateMask", "fieldPaths",
      "nullValue", "booleanValue", "integerValue", "doubleValue", "timestampValue", "bytesValue",
      "geoPointValue", "latitude", "longitude", "vectorValue", "document", "data",
      // Whoever calls.
      "auth", "token", "uid", "user_id", "sub", "aud", "iss", "email", "email_verified",
      "phone_number", "picture", "firebase", "identities", "sign_in_provider",
      // Users and their devices.
      "displayName", "fcmToken", "fcmTokens", "platform", "aiOptOut", "createdAt", "updatedAt",
      "lastSeen", "online", "isOnline", "profilePictureURL", "photoURL", "nickname", "username",
      "phoneNumber", "bio", "location", "settings", "notifications", "theme",
      // Conversations.
      "participants", "type", "lastMessage", "lastMessageAt", "lastMessageId",
      "lastMessageTimestamp", "lastMessageSenderId", "ai", "muted", "translation", "typing",
      "admins", "createdBy",
      // Messages.
      "id", "senderId", "recipientId", "conversationId", "messageId", "messageIds", "text",
      "status",
      "timestamp", "clientTimestamp", "readBy", "deliveredTo", "media", "mediaURL", "mentions",
      "reactions", "replyTo", "edited", "deleted", "at", "engine", "model", "textHash", "error",
      "errors", "code", "message", "languageSource",
      // What functions keep.
      "explanation", "hasCulturalContext", "idiomDetected", "suggestedEquivalent", "relevance",
      "formality", "promptHash", "suggestions", "sourceText", "translatedText", "expiresAt",
      "holder", "function", "event", "recipients", "notified", "failuresFor", "nothingFor",
      "declinedFor", "failed", "unregistered", "kind", "role", "userQuery", "aiResponse",
      "contextIds", "sources", "query", "answer", "total", "costMicros",
      // What operators write.
      "paused", "perUserPerMinute", "perUserPerDay", "dailyCostMicros", "translateMessage",
      "sendNotification", "analyzeMessage", "smartReplies", "askAI", "forgetUser",
    ])
}

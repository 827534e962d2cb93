/// A provider with a fake. Its raw value is its name in faults and in `/providers/usage`.
package enum ProviderName: String, CaseIterable, Sendable {
  case translation, openai, anthropic, fcm, oauth

  /// Creates the provider that serves a path, or `nil` if the path belongs to the fakes' own API.
  ///
  /// - Parameter path: the path, without `providers`.
  package init?(path: [String]) {
    switch (path.first, path.dropFirst().first) {
    case ("language", _), ("v3", _), ("translate", nil), ("detect", nil), ("languages", nil):
      self = .translation
    case ("token", nil): self = .oauth
    case ("v1", "projects"): self = .fcm
    case ("v1", "messages"): self = .anthropic
    case ("v1", _): self = .openai
    default: return nil
    }
  }

  /// A Boolean value that indicates whether the provider offers a language model.
  var isModel: Bool { self == .openai || self == .anthropic }
}

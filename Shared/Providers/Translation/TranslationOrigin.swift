import HTTPClient

/// Whose translations a provider gives: those kept of one are no other's.
package struct TranslationOrigin: Hashable, Sendable {
  /// Google with its own model, in either version.
  package static let google = "google"
  package static let libreTranslate = "libretranslate"

  /// One of those, or Google with a glossary: `google/us-central1/names`.
  package var name: String
  /// Whether it may be the emulator's, whose engines stand for the real ones.
  package var mayBeOffline: Bool

  /// - Parameter mayBeOffline: whether it is on this machine.
  package init(_ name: String, mayBeOffline: Bool) {
    self.name = name
    self.mayBeOffline = mayBeOffline
  }

  init(_ name: String, at baseURL: String) {
    self.init(name, mayBeOffline: HTTPRequest(method: "POST", url: baseURL).isToLoopback)
  }
}

/// The emulator's engines. What they say shows how the product works, and is no translation that
/// anybody should be shown for one.
package enum OfflineEngine {
  private static let names = ["phrasebook", "pseudo", "apertium", "emulator-rules"]

  /// Whether one of them had a part in what an engine or several are named for, such as
  /// `nmt+pseudo` or `phrasebook-glossary`.
  package static func hasPart(in engine: String) -> Bool {
    engine.split(separator: "+").contains { part in
      names.contains { part == $0 || part.hasPrefix("\($0)-") }
    }
  }
}

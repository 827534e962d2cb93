import HTTPClient

/// The origin of translations. A cached translation is valid only for its own origin.
package struct TranslationOrigin: Hashable, Sendable {
  /// The origin of translations by Google's own model, in either version.
  package static let google = "google"
  package static let libreTranslate = "libretranslate"

  /// The name: `google`, `libretranslate`, or Google with a glossary, such as
  /// `google/us-central1/names`.
  package var name: String
  /// A Boolean value that indicates whether the provider may be the emulator, whose engines replace
  /// the real ones.
  package var mayBeOffline: Bool

  /// Creates an origin.
  ///
  /// - Parameter mayBeOffline: whether the provider is on this machine.
  package init(_ name: String, mayBeOffline: Bool) {
    self.name = name
    self.mayBeOffline = mayBeOffline
  }

  init(_ name: String, at baseURL: String) {
    self.init(name, mayBeOffline: HTTPRequest(method: "POST", url: baseURL).isToLoopback)
  }
}

/// The emulator's engines. Their translations demonstrate the product and must not be shown as real
/// ones.
package enum OfflineEngine {
  private static let names = ["phrasebook", "pseudo", "apertium", "emulator-rules"]

  /// Returns a Boolean value that indicates whether one of them contributed to a text, by the name
  /// of its engine or engines, such as `nmt+pseudo` or `phrasebook-glossary`.
  package static func hasPart(in engine: String) -> Bool {
    engine.split(separator: "+").contains { part in
      names.contains { part == $0 || part.hasPrefix("\($0)-") }
    }
  }
}

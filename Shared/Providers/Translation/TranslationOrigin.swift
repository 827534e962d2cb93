import HTTPClient

/// The source of translations: a provider, with its glossary if it uses one.
///
/// A cached translation is valid only for the origin that it came from.
package struct TranslationOrigin: Hashable, Sendable {
  /// The name for Google's own model, in either version of the API.
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

/// The emulator's engines. Their translations are for demonstrations and must not be shown as real
/// ones.
package enum OfflineEngine {
  private static let names = ["phrasebook", "pseudo", "apertium", "emulator-rules"]

  /// Returns a Boolean value that indicates whether one of the emulator's engines contributed to a
  /// text.
  ///
  /// - Parameter engine: the name of the text's engine or engines, such as `nmt+pseudo` or
  ///   `phrasebook-glossary`.
  package static func hasPart(in engine: String) -> Bool {
    engine.split(separator: "+").contains { part in
      names.contains { part == $0 || part.hasPrefix("\($0)-") }
    }
  }
}

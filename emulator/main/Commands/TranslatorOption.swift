import ArgumentParser
import Core
import ProviderFakes

/// The engines of the translation fakes that `--translator` names.
enum TranslatorOption: String, ExpressibleByArgument, CaseIterable {
  case phrasebook, apertium, pseudo

  /// Returns the installed Apertium, or `nil` if another engine is chosen.
  ///
  /// - Parameter shell: The environment variables. APERTIUM_DATADIR may name Apertium's folder.
  /// - Throws: `FAILED_PRECONDITION` if Apertium isn't installed.
  func apertium(shell: [String: String]) throws(StatusError) -> Apertium? {
    guard self == .apertium else { return nil }
    do throws(StatusError) {
      return try Apertium(folder: shell["APERTIUM_DATADIR"], environment: shell)
    } catch {
      throw StatusError(error.code, "--translator apertium: \(error.message)")
    }
  }

  /// Returns a translator with the chosen engines.
  func translator(_ apertium: Apertium?) -> OfflineTranslator {
    OfflineTranslator(phrasebook: self == .pseudo ? nil : .standard, apertium: apertium)
  }
}

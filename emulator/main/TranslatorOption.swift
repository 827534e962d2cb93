import ArgumentParser
import Core
import ProviderFakes

/// Who answers for the translation providers' fakes, as `--translator` names them.
enum TranslatorOption: String, ExpressibleByArgument, CaseIterable {
  case phrasebook, apertium, pseudo

  /// - Parameter shell: may say in APERTIUM_DATADIR where Apertium is.
  /// - Throws: FAILED_PRECONDITION if Apertium isn't installed.
  func apertium(shell: [String: String]) throws(StatusError) -> Apertium? {
    guard self == .apertium else { return nil }
    do throws(StatusError) {
      return try Apertium(folder: shell["APERTIUM_DATADIR"], environment: shell)
    } catch {
      throw StatusError(error.code, "--translator apertium: \(error.message)")
    }
  }

  func translator(_ apertium: Apertium?) -> OfflineTranslator {
    OfflineTranslator(phrasebook: self == .pseudo ? nil : .standard, apertium: apertium)
  }
}

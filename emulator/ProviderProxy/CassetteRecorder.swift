package import Core
import ProviderFakes
import Synchronization

/// The recorder of exchanges with real providers, which adds cassettes to a folder.
package final class CassetteRecorder: Sendable {
  private let folder: CassetteFolder
  private let numbers = Mutex<[ProviderName: Int]>([:])

  /// Creates the recorder and its folder.
  ///
  /// - Throws: `FAILED_PRECONDITION` if the folder doesn't exist and can't be created.
  package init(_ folder: CassetteFolder) throws(StatusError) {
    self.folder = folder
    do {
      try FileManager.default.createDirectory(
        atPath: folder.path,
        withIntermediateDirectories: true
      )
    } catch {
      throw StatusError(.failedPrecondition, "the folder \(folder.path) can't be created")
    }
  }

  /// Writes a cassette.
  ///
  /// - Parameter secret: the key that the file must not contain.
  /// - Throws: an error that names the file, or the reason why the exchange isn't recorded.
  func record(
    _ exchange: ProviderExchange,
    of provider: ProviderName,
    without secret: String?
  ) throws(StatusError) {
    let content = try Cassette(exchange, of: provider).file(without: secret)
    // Another emulator may record to the same folder: existing files are never overwritten.
    while true {
      let number = numbers.withLock { numbers in
        let number = (numbers[provider] ?? folder.lastNumber(of: provider)) + 1
        numbers[provider] = number
        return number
      }
      let file = AtomicFile(path: folder.file(number, of: provider))
      if try file.write(content, replacing: false) { return }
    }
  }
}

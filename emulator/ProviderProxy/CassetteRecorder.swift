package import Core
import ProviderFakes
import Synchronization

/// Keeps exchanges with real providers in a folder, after those that are there already.
package final class CassetteRecorder: Sendable {
  private let folder: CassetteFolder
  private let numbers = Mutex<[FaultyProvider: Int]>([:])

  /// - Throws: `FAILED_PRECONDITION` if the folder isn't there and can't be made.
  package init(_ folder: CassetteFolder) throws(StatusError) {
    self.folder = folder
    do {
      try FileManager.default.createDirectory(
        atPath: folder.path,
        withIntermediateDirectories: true
      )
    } catch {
      throw StatusError(.failedPrecondition, "\(folder.path) can't be made")
    }
  }

  /// - Parameter secret: what must not be in it.
  /// - Throws: a sentence that names the file, or what keeps the exchange out of it.
  func record(
    _ exchange: ProviderExchange,
    of provider: FaultyProvider,
    without secret: String?
  ) throws(StatusError) {
    let content = try Cassette(exchange, of: provider).file(without: secret)
    // Another emulator may keep its own here: nobody's is written over.
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

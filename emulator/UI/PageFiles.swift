import CPages
package import Core
import Cryptography

/// The files of the pages that the emulator shows in a browser, by their paths below the folder
/// `emulator/Pages/www`.
package struct PageFiles: Sendable {
  package struct File: Sendable {
    package var bytes: Data
    /// Changes with the bytes: what HTTP calls an entity tag.
    package var tag: String

    init(_ bytes: Data) {
      self.bytes = bytes
      tag = "\"\(SHA256.hexadecimal(bytes))\""
    }
  }

  private enum Source: Sendable {
    case files([String: File])
    case folder(String)
  }

  private let source: Source

  /// Those that are part of this binary.
  package static let embedded = PageFiles(
    source: .files(
      {
        var count = 0
        let files = UnsafeBufferPointer(start: page_files(&count), count: count)
        return Dictionary(
          uniqueKeysWithValues: files.map {
            (String(cString: $0.path), File(Data(bytes: $0.bytes, count: $0.length)))
          }
        )
      }()
    )
  )

  /// Those of a folder, as they are when they are asked for: for whoever changes them.
  package static func folder(_ path: String) -> PageFiles { PageFiles(source: .folder(path)) }

  private init(source: Source) { self.source = source }

  /// The paths of those that are part of this binary.
  package static var embeddedPaths: [String] {
    guard case .files(let files) = embedded.source else { return [] }
    return files.keys.sorted()
  }

  /// - Parameter segments: of its path; none of them may lead out of the folder.
  package subscript(segments: [String]) -> File? {
    let path = segments.joined(separator: "/")
    switch source {
    case .files(let files): return files[path]
    case .folder(let folder):
      guard !segments.contains(where: { $0.hasPrefix(".") || $0.contains("/") }) else { return nil }
      return (try? Data(contentsOf: URL(filePath: "\(folder)/\(path)"))).map(File.init)
    }
  }
}

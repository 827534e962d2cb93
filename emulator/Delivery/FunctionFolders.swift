package import Core
package import FunctionHost

/// The folders that are searched for functions.
package struct FunctionFolders: Sendable {
  /// A file that may be a function.
  package struct File: Sendable, Hashable {
    package var identity: FileIdentity
    package var isExecutable: Bool
  }

  /// The entries of a folder that may be files. They are read again when the folder changes.
  package struct Listing: Sendable {
    /// The time for which a folder must be unchanged before its listing is kept: some file systems
    /// count time in steps of two seconds.
    private static let settling = Duration.seconds(2)

    fileprivate let folder: FileIdentity?
    fileprivate let paths: [String]
    /// The time since which the folder has been unchanged.
    fileprivate let since: ContinuousClock.Instant
    private let read = ContinuousClock.now

    fileprivate var isSettled: Bool { folder != nil && read > since + Self.settling }
  }

  private static let libraries = [".so", ".dylib", ".xctest"]

  package let paths: [String]
  private let environment: [String: String]
  private let excluded: Set<String>

  /// - Parameters:
  ///   - environment: The environment variables for the executables.
  ///   - excluded: The paths of files that are never run, such as the emulator's, with symbolic
  ///     links resolved.
  package init(
    _ paths: [String],
    environment: [String: String],
    excluding excluded: Set<String> = []
  ) {
    self.paths = paths
    self.environment = environment
    self.excluded = excluded
  }

  // MARK: Files

  /// Returns the files of all folders, by path.
  ///
  /// - Throws: `NOT_FOUND` if a folder can't be read.
  package func files() throws(StatusError) -> [String: File] {
    var files: [String: File] = [:]
    for folder in paths {
      for (path, file) in try self.files(in: folder) { files[path] = file }
    }
    return files
  }

  /// Returns the files of all folders, by path.
  ///
  /// - Parameter listings: The entries of the folders at the last call, by the folder's path.
  /// - Throws: `NOT_FOUND` if a folder can't be read.
  package func files(
    knowing listings: inout [String: Listing]
  ) throws(StatusError) -> [String: File] {
    var files: [String: File] = [:]
    for folder in paths {
      let identity = FileIdentity(folder)
      let known = listings[folder].flatMap { $0.folder == identity ? $0 : nil }
      let entries: [String]
      if let known, known.isSettled {
        entries = known.paths
      } else {
        entries = try self.entries(of: folder)
        listings[folder] = Listing(folder: identity, paths: entries, since: known?.since ?? .now)
      }
      for path in entries { files[path] = Self.file(path) }
    }
    return files
  }

  /// Returns the regular files of a folder, sorted by name.
  ///
  /// - Throws: `NOT_FOUND` if the folder can't be read.
  func files(in folder: String) throws(StatusError) -> [(path: String, file: File)] {
    try entries(of: folder).compactMap { path in Self.file(path).map { (path, $0) } }
  }

  /// Returns the paths of a folder's entries that may be files, sorted. A build folder also holds
  /// libraries and test bundles, and editors leave hidden files and copies with a tilde: these are
  /// left out.
  private func entries(of folder: String) throws(StatusError) -> [String] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw StatusError(.notFound, "the functions' folder \(folder) can't be read")
    }
    let candidates = names.filter { name in
      !name.hasPrefix(".") && !name.hasSuffix("~")
        && !Self.libraries.contains(where: name.hasSuffix)
    }
    return candidates.sorted().map { "\(folder)/\($0)" }.filter { path in
      var information = stat()
      return lstat(path, &information) == 0 && !information.isFolder && !isExcluded(path)
    }
  }

  /// Returns the regular file at a path, or `nil` if there is none.
  package static func file(_ path: String) -> File? {
    var information = stat()
    guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
    let identity = FileIdentity(information)
    let isExecutable = information.st_mode & 0o111 != 0 && access(path, X_OK) == 0
    return File(identity: identity, isExecutable: isExecutable)
  }

  private func isExcluded(_ path: String) -> Bool {
    !excluded.isEmpty && excluded.contains(path.resolvedPath ?? path)
  }

  /// Returns a Boolean value that indicates whether a file begins with `#!`, as scripts do.
  package static func isScript(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var start: [UInt8] = [0, 0]
    return read(file, &start, 2) == 2 && start.elementsEqual("#!".utf8)
  }

  // MARK: Functions

  /// Runs an executable file with `--describe`. On a busy machine it may not answer in time: then it
  /// is run once more, with more time.
  package func describe(_ path: String) async -> Result<InstalledFunction, StatusError> {
    let result = await describe(path, within: 2)
    guard case .failure(let error) = result, error.code == .deadlineExceeded else { return result }
    return await describe(path, within: 10)
  }

  func describe(
    _ path: String,
    within seconds: Int
  ) async -> Result<InstalledFunction, StatusError> {
    let command = Command(executable: path, environment: environment)
    do throws(StatusError) {
      return .success(try await InstalledFunction(describing: command, within: seconds))
    } catch {
      return .failure(error)
    }
  }
}

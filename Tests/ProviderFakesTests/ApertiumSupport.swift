import Core
import Foundation
import FunctionHost
import TestKit

@testable import ProviderFakes

/// Returns the Apertium that is installed on this machine, or `nil` if there is none.
///
/// The time limit is long, because other tests run at the same time.
func installedApertium() -> Apertium? {
  do {
    return try Apertium(
      folder: nil,
      environment: ProcessInfo.processInfo.environment,
      timeout: .seconds(300)
    )
  } catch {
    return nil
  }
}

/// An Apertium whose only program is a script. It translates between Spanish and Italian.
///
/// Each start of the script adds a line to the file `starts`.
struct ScriptedApertium {
  let apertium: Apertium
  private let folder: String

  /// - Parameters:
  ///   - script: the shell commands of the program.
  ///   - modes: the language pairs that use the program.
  init(
    in folder: String,
    _ script: String,
    modes: [String] = ["spa-ita", "ita-spa"],
    timeout: Duration = .seconds(300)
  ) async throws {
    ignoreBrokenPipes()
    self.folder = folder
    let program = """
      #!/bin/sh
      echo >>'\(folder)/starts'
      \(script)
      """
    try await makeFile("\(folder)/program", program, isExecutable: true)
    for mode in modes {
      try await makeFile("\(folder)/modes/\(mode).mode", "'\(folder)/program' $1 $2")
    }
    apertium = try Apertium(
      folder: folder,
      environment: ["PATH": "/usr/bin:/bin"],
      timeout: timeout
    )
  }

  /// The number of times that the program has been started.
  var starts: Int {
    (try? String(contentsOfFile: "\(folder)/starts", encoding: .utf8))?.count ?? 0
  }
}

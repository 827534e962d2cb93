import Core
import Foundation
import FunctionHost
import TestKit

@testable import ProviderFakes

/// Returns this machine's Apertium, or `nil` if it isn't installed.
///
/// Its time limits are long, because tests share the machine.
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

/// An Apertium whose only program is a script, for the directions between Spanish and Italian.
///
/// Each start of the program appends a line to the file `starts` beside it.
struct ScriptedApertium {
  let apertium: Apertium
  private let folder: String

  /// - Parameters:
  ///   - script: The program's shell code.
  ///   - modes: The directions that use this program.
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

  /// The number of times the program was started.
  var starts: Int {
    (try? String(contentsOfFile: "\(folder)/starts", encoding: .utf8))?.count ?? 0
  }
}

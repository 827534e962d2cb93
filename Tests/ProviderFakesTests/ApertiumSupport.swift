import Core
import Foundation
import FunctionHost
import TestKit

@testable import ProviderFakes

/// Apertium as this machine has it; nil if it isn't installed. Patient, since tests share the
/// machine.
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

/// Apertium with one program, a script, for the directions between Spanish and Italian. It appends
/// a line to the file `starts` beside it each time it is started.
struct ScriptedApertium {
  let apertium: Apertium
  private let folder: String

  /// - Parameters:
  ///   - script: what the program does with its input, lines of shell.
  ///   - modes: whose pipelines are this program.
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

  /// How often the program was started.
  var starts: Int {
    (try? String(contentsOfFile: "\(folder)/starts", encoding: .utf8))?.count ?? 0
  }
}

import Core
import Delivery
import FunctionHost
import FunctionRuntime
import TestKit
import Testing

/// Functions that are added and removed while the dispatcher runs.
@Suite(.timeLimit(.minutes(10)))
struct FunctionChangesTests {
  /// A function that waits for the file `go` beside its script.
  private static let waiting = script(
    "probe",
    "",
    """
    touch "$(dirname "$0")/../begun"
    while [ ! -e "$(dirname "$0")/../go" ]; do sleep 0.01; done
    echo '\(contentLine)'
    """
  )

  @Test func `an added function gets the next event`() async throws {
    try await withTemporaryFolder { folder in
      let (catalog, _) = try await discover(["probe": script("probe", "", good)], in: folder)
      let probe = try #require(catalog.functions["probe"])
      try await withDispatcher([:]) { dispatcher in
        #expect(try await dispatcher.enqueue(creation(of: "n1")) == [])
        try dispatcher.add(probe)
        #expect(dispatcher.catalog.functions.keys.sorted() == ["probe"])
        #expect(try await dispatcher.delivered(creation(of: "n2")).state == .succeeded)
        let error = #expect(throws: StatusError.self) { try dispatcher.add(probe) }
        #expect(error?.message.contains("already a function with the name \"probe\"") == true)
      }
    }
  }

  @Test func `a removed function's running invocation is finished, and its other deliveries wait`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let functions = "\(folder)/functions"
      try FileManager.default.createDirectory(atPath: functions, withIntermediateDirectories: false)
      let (catalog, _) = try await discover(["probe": Self.waiting], in: functions)
      let probe = try #require(catalog.functions["probe"])
      try await withDispatcher([:]) { dispatcher in
        try dispatcher.add(probe)
        let running = try #require(try await dispatcher.enqueue(creation(of: "n1")).first)
        while !FileManager.default.fileExists(atPath: "\(folder)/begun") {
          try await Task.sleep(for: .milliseconds(2))
        }
        try dispatcher.setPaused(true, function: "probe")
        let waiting = try #require(try await dispatcher.enqueue(creation(of: "n2")).first)
        #expect(dispatcher.remove("probe") == 1)
        await dispatcher.ended([waiting])
        #expect(try await dispatcher.enqueue(creation(of: "n3")) == [])
        #expect(dispatcher.missingFunctions == ["probe": 1])
        let error = #expect(throws: StatusError.self) { try dispatcher.retry(waiting) }
        #expect(error?.message.contains("waits for the function probe, which is missing") == true)

        #expect(FileManager.default.createFile(atPath: "\(folder)/go", contents: nil))
        await dispatcher.ended([running])
        #expect(dispatcher.delivery(running)?.state == .succeeded)
        try dispatcher.add(probe)
        await dispatcher.ended([waiting])
        #expect(dispatcher.delivery(waiting)?.state == .succeeded)
      }
    }
  }

  @Test func `a changed manifest's variables replace the function's`() async throws {
    let body = #"echo "{\"status\":\"skipped\",\"reason\":\"$MARK\"}""#
    var installation = Installation()
    installation.environment = { manifest in
      plainEnvironment.merging(["MARK": "\(manifest.timeoutSeconds)"]) { $1 }
    }
    try await withDispatcher(["probe": script("probe", "", body)], installation) { dispatcher in
      #expect(try await dispatcher.delivered(creation(of: "n1")).result?.reason == "")
      let path = try #require(dispatcher.catalog.functions["probe"]?.command.executable)
      let other = script("probe", #""timeoutSeconds":7,"#, body)
      try await makeFile("\(path).new", other, isExecutable: true)
      try #require(rename("\(path).new", path) == 0)
      let command = Command(executable: path, environment: plainEnvironment)
      dispatcher.update(try await InstalledFunction(describing: command))
      #expect(dispatcher.catalog.functions["probe"]?.manifest.timeoutSeconds == 7)
      #expect(try await dispatcher.delivered(creation(of: "n2")).result?.reason == "7")
    }
  }

  private let good = "echo '\(contentLine)'"
}

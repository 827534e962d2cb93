import Core
import Delivery
import FunctionHost
import FunctionRuntime
import TestKit
import Testing

/// The functions that the catalog finds in a folder, and its warnings about other files.
@Suite(.timeLimit(.minutes(10)))
struct CatalogTests {
  @Test func `a file that is no function is reported with the reason`() async throws {
    try await withTemporaryFolder { folder in
      let (catalog, warnings) = try await discover(["x": "#!/bin/sh\nexit 7\n"], in: folder)
      #expect(catalog.functions.isEmpty)
      #expect(warnings.count == 1)
      #expect(warnings.first?.contains("path=\(folder)/x") == true)
      #expect(warnings.first?.contains("--describe ended with code 7") == true)
    }
  }

  @Test func `an error that --describe prints is part of the reason`() async throws {
    let script = #"""
      #!/bin/sh
      printf '%s' '{"error":{"message":"MAIL_HOST is\n wrong"}}'
      exit 78
      """#
    try await withTemporaryFolder { folder in
      let (_, warnings) = try await discover(["x": script], in: folder)
      let reason = #"--describe ended with code 78: "MAIL_HOST is wrong""#
      #expect(warnings.first?.contains(reason) == true, "\(warnings)")
    }
  }

  @Test func `the last line of stderr is part of the reason`() async throws {
    let script = """
      #!/bin/sh
      printf 'Traceback:\\n  here\\nImportError: no greetings\\n\\n \\n' >&2
      exit 1
      """
    try await withTemporaryFolder { folder in
      let (_, warnings) = try await discover(["x": script], in: folder)
      let reason = #"--describe ended with code 1: "ImportError: no greetings""#
      #expect(warnings.first?.contains(reason) == true, "\(warnings)")
    }
  }

  @Test func `a member that a manifest can't have yet is reported, and has no effect`() async throws
  {
    try await withTemporaryFolder { folder in
      let members = #""colour":"red","size":1,"#
      let (catalog, warnings) = try await discover(["a": script("a", members, ":")], in: folder)
      #expect(catalog.functions.keys.sorted() == ["a"])
      #expect(
        warnings == [
          "the manifest has unknown members, which have no effect members=\"colour\", \"size\" path=\(folder)/a"
        ]
      )
    }
  }

  @Test func `a script that isn't executable is reported, and other files are not`() async throws {
    try await withTemporaryFolder { folder in
      try await makeFile("\(folder)/greet", "#!/bin/sh\n")
      try await makeFile("\(folder)/README.md", "# Functions\n")
      try await makeFile("\(folder)/.greet.swp", "#!/bin/sh\n", isExecutable: true)
      let (catalog, warnings) = try await discover([:], in: folder)
      #expect(catalog.functions.isEmpty)
      #expect(warnings.count == 1, "\(warnings)")
      #expect(warnings.first?.contains("not executable: chmod +x \(folder)/greet") == true)
    }
  }

  @Test func `programs that are no functions are reported in one line`() async throws {
    try await withTemporaryFolder { folder in
      for name in ["one", "two", "three"] {
        try FileManager.default.copyItem(atPath: "/bin/false", toPath: "\(folder)/\(name)")
      }
      let (catalog, warnings) = try await discover(["a": script("a", "", ":")], in: folder)
      #expect(catalog.functions.keys.sorted() == ["a"])
      #expect(
        warnings == [
          "3 programs skipped: not functions folder=\(folder) names=one, three, two"
        ]
      )
    }
  }

  @Test func `an excluded program is neither run nor reported, also behind a link`() async throws {
    try await withTemporaryFolder { folder in
      let files = FileManager.default
      try files.createDirectory(atPath: "\(folder)/build", withIntermediateDirectories: false)
      try files.createSymbolicLink(
        atPath: "\(folder)/debug",
        withDestinationPath: "\(folder)/build"
      )
      let build = try #require("\(folder)/build".resolvedPath)
      let (catalog, warnings) = try await discover(
        ["serve": "#!/bin/sh\nexit 7\n", "a": script("a", "", ":")],
        in: "\(folder)/debug",
        excluding: ["\(build)/serve"]
      )
      #expect(catalog.functions.keys.sorted() == ["a"])
      #expect(warnings.isEmpty, "\(warnings)")
    }
  }

  @Test(arguments: [1, 2])
  func `a function that doesn't describe itself in time gets one more try`(slowAnswers: Int)
    async throws
  {
    try await withTemporaryFolder { folder in
      let ready = script("slow", "", ":")
      let slow = ready.replacing(
        "#!/bin/sh\n",
        with: """
          #!/bin/sh
          echo asked >> '\(folder)/times'
          if [ "$(grep -c asked '\(folder)/times')" -le \(slowAnswers) ]; then exec sleep 60; fi

          """
      )
      let scripts = ["slow": slow, "quick": script("quick", "", ":")]
      let (catalog, warnings) = try await discover(scripts, in: folder)
      let times = try String(contentsOf: URL(filePath: "\(folder)/times"), encoding: .utf8)
      #expect(times == "asked\nasked\n")
      if slowAnswers == 1 {
        #expect(catalog.functions.keys.sorted() == ["quick", "slow"])
        #expect(warnings.isEmpty, "\(warnings)")
      } else {
        #expect(catalog.functions.keys.sorted() == ["quick"])
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("--describe did not answer within 10 s") == true)
      }
    }
  }

  @Test func `the first of two functions with one name counts, and the second is reported`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let one = script("same", "", ":")
      let (catalog, warnings) = try await discover(["a": one, "b": one], in: folder)
      #expect(catalog.functions["same"]?.command.executable == "\(folder)/a")
      #expect(warnings.count == 1)
      #expect(warnings.first?.contains("path=\(folder)/b") == true)
      #expect(warnings.first?.contains("\(folder)/a already has the name same") == true)
    }
  }

  @Test(arguments: [
    ("notes/{id}", "users/{uid", "users/{uid"), ("notes/{id}", "users/uid}", "users/uid}"),
    ("notes/{id}", "users", "names a collection"), ("notes/{id}", "users//x", "empty segment"),
    (#""contract":1"#, #""contract":1,"timeoutSeconds":0"#, "timeoutSeconds"),
    (#""contract":1"#, #""contract":1,"timeoutSeconds":3601"#, "timeoutSeconds"),
    (#""contract":1"#, #""contract":1,"secrets":["A=B"]"#, "secret"),
    (#""contract":1"#, #""contract":1,"concurrency":0"#, "concurrency"),
    (#""contract":1"#, #""contract":1,"concurrency":1001"#, "concurrency"),
    (#""triggers""#, #""trigers""#, "unknown member \"trigers\": did you mean triggers?"),
    (#""document""#, #""documnet""#, "unknown member \"documnet\": did you mean document?"),
    (#""document""#, #""colour":"red","document""#, "unknown member \"colour\""),
    (#""document""#, #""database":"","document""#, "an invalid database"),
    (#""document""#, #""database":"a/b","document""#, "an invalid database"),
  ])
  func `an invalid manifest is refused by name`(
    part: String,
    broken: String,
    reason: String
  ) async throws {
    try await withTemporaryFolder { folder in
      let text = script("probe", "", ":").replacing(part, with: broken)
      let (catalog, warnings) = try await discover(["probe": text], in: folder)
      #expect(catalog.functions.isEmpty)
      #expect(warnings.first?.contains(reason) == true, "\(warnings)")
    }
  }

  @Test func `a trigger on nodes has a fixed number of keys`() throws {
    func manifest(_ ref: String) -> FunctionManifest {
      FunctionManifest(name: "probe", triggers: [.init(.written, ref: ref)])
    }
    try manifest("status/{uid}").check()
    try manifest("status").check()
    for (ref, reason) in [
      ("a/{b=**}", "can't have a segment for any number of keys"), ("a//b", "empty segment"),
      ("a/{b", "unmatched brace"),
    ] {
      let error = #expect(throws: StatusError.self) { try manifest(ref).check() }
      #expect(error?.message.contains(reason) == true)
    }
  }

  @Test func `a trigger on objects has a valid pattern and bucket`() throws {
    func manifest(_ object: String, _ bucket: String? = nil) -> FunctionManifest {
      FunctionManifest(name: "probe", triggers: [.init(.deleted, object: object, bucket: bucket)])
    }
    for object in ["**", "a", "avatars/{uid}/{file=**}", "*/a.png"] {
      try manifest(object, "demo.appspot.com").check()
    }
    for (object, bucket, reason) in [
      ("/a", nil, "empty segment"), ("a/", nil, "empty segment"), ("a/{b", nil, "unmatched brace"),
      ("a", "", "invalid bucket"), ("a", "b/c", "invalid bucket"),
    ] as [(String, String?, String)] {
      let error = #expect(throws: StatusError.self) { try manifest(object, bucket).check() }
      #expect(error?.message.contains(reason) == true)
    }
  }

  @Test(arguments: [
    #""timeoutSeconds":1,"concurrency":1,"#, #""timeoutSeconds":3600,"concurrency":1000,"#,
  ])
  func `values at the limits are allowed`(members: String) async throws {
    try await withTemporaryFolder { folder in
      let (catalog, warnings) = try await discover(
        ["probe": script("probe", members, ":")],
        in: folder
      )
      #expect(catalog.functions.count == 1, "\(warnings)")
    }
  }
}

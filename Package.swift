// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Returns the target of a function: the `@main` handler, with the logic in separate files.
func function(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: "Functions/\(name)")
}

/// Returns the target of a library in Shared, for functions, `serve` and the emulator.
func shared(
  _ name: String,
  _ dependencies: [Target.Dependency] = [],
  exclude: [String] = []
) -> Target {
  .target(name: name, dependencies: dependencies, path: "Shared/\(name)", exclude: exclude)
}

/// Returns the target of a library of the emulator.
func emulator(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "emulator/\(name)")
}

/// Returns the target of any other program.
func program(_ name: String, in path: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: path)
}

/// Returns the target with the tests of another target. Programs that the tests run are
/// dependencies, too, because nothing else builds them.
func tests(_ target: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: "\(target)Tests", dependencies: dependencies, path: "Tests/\(target)Tests")
}

let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser",
  package: "swift-argument-parser"
)
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioExtras: Target.Dependency = .product(name: "NIOExtras", package: "swift-nio-extras")
let nioHPACK: Target.Dependency = .product(name: "NIOHPACK", package: "swift-nio-http2")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioWebSocket: Target.Dependency = .product(name: "NIOWebSocket", package: "swift-nio")
let nioHTTP2: Target.Dependency = .product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let serviceLifecycle: Target.Dependency = .product(
  name: "ServiceLifecycle",
  package: "swift-service-lifecycle"
)
let protobuf: Target.Dependency = .product(name: "SwiftProtobuf", package: "swift-protobuf")
let unixSignals: Target.Dependency = .product(
  name: "UnixSignals",
  package: "swift-service-lifecycle"
)

let package = Package(
  name: "worldchat-functions",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "translateMessage", targets: ["translateMessage"]),
    .executable(name: "sendNotification", targets: ["sendNotification"]),
    .executable(name: "analyzeMessage", targets: ["analyzeMessage"]),
    .executable(name: "smartReplies", targets: ["smartReplies"]),
    .executable(name: "askAI", targets: ["askAI"]),
    .executable(name: "forgetUser", targets: ["forgetUser"]),
    .executable(name: "trackOpen", targets: ["trackOpen"]),
    .executable(name: "mirrorPresence", targets: ["mirrorPresence"]),
    .executable(name: "mirrorMembership", targets: ["mirrorMembership"]),
    .executable(name: "serve", targets: ["serve"]),
    .executable(name: "emulator", targets: ["emulator"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
    .package(url: "https://github.com/apple/swift-protobuf", exact: "1.39.0"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
  ],
  targets: [
    function(
      "translateMessage",
      [
        "Chat", "Core", "FirestoreClient", "FirestoreModel", "FunctionRuntime", logging,
      ]
    ),
    function(
      "sendNotification",
      [
        "Chat", "Core", "FirestoreClient", "FirestoreModel", "FunctionRuntime", "Providers",
        logging,
      ]
    ),
    function(
      "analyzeMessage",
      [
        "Chat", "Core", "FirestoreClient", "FirestoreModel", "FunctionRuntime", "LanguageDetection",
        "Providers", logging,
      ]
    ),
    function(
      "smartReplies",
      [
        "Chat", "Core", "FirestoreClient", "FirestoreModel", "FunctionRuntime", "Providers",
        logging,
      ]
    ),
    function(
      "askAI",
      [
        "Chat", "Core", "FirestoreClient", "FirestoreModel", "FunctionRuntime", "LanguageDetection",
        "Providers", logging,
      ]
    ),
    function(
      "forgetUser",
      [
        "Chat", "Core", "FirestoreClient", "FirestoreModel", "FunctionRuntime", "Providers",
        logging,
      ]
    ),
    function(
      "trackOpen",
      ["Chat", "Core", "FirestoreClient", "FirestoreModel", "FunctionRuntime"]
    ),
    function(
      "mirrorPresence",
      ["Chat", "Core", "FirestoreClient", "FirestoreModel", "FunctionRuntime", "Providers"]
    ),
    function(
      "mirrorMembership",
      ["Chat", "Core", "FirestoreClient", "FirestoreModel", "FunctionRuntime", "Providers"]
    ),
    function(
      "serve",
      [
        "CloudEvents", "Core", "Cryptography", "FirestoreModel", "FunctionHost", "FunctionRuntime",
        "GoogleAuth", "HTTPClient", "HTTPServer", "HTTPService", argumentParser, logging,
        serviceLifecycle, unixSignals,
      ]
    ),

    .systemLibrary(
      name: "CLibcurl",
      path: "Shared/CLibcurl",
      pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]
    ),
    .systemLibrary(
      name: "CLibcrypto",
      path: "Shared/CLibcrypto",
      pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
    ),
    shared("CCRC32C"),
    shared("CProcess"),
    shared("Core"),
    shared("Cryptography", ["CCRC32C", "CLibcrypto", "Core"]),
    shared("FirestoreModel", ["Core"]),
    shared("FirestoreProtos", ["Core", "FirestoreModel", protobuf], exclude: ["Protos"]),
    shared("HTTPService", ["Core"]),
    shared(
      "HTTPServer",
      [
        "Core", "HTTPService", logging, nioCore, nioExtras, nioHTTP1, nioPosix, nioWebSocket,
        serviceLifecycle,
      ]
    ),
    shared("FunctionRuntime", ["Core", "FirestoreModel", logging]),
    shared(
      "FunctionHost",
      [
        "Core", "CProcess", "Cryptography", "FirestoreModel", "FunctionRuntime", "HTTPService",
      ]
    ),
    shared(
      "CloudEvents",
      [
        "Core", "FirestoreModel", "FirestoreProtos", "FunctionRuntime", "HTTPService", protobuf,
      ]
    ),
    shared("HTTPClient", ["CLibcrypto", "CLibcurl", "Core"]),
    shared("GoogleAuth", ["Core", "Cryptography", "HTTPClient"]),
    shared("FirestoreClient", ["Core", "FirestoreModel", "GoogleAuth", "HTTPClient"]),
    shared("LanguageDetection"),
    shared("Providers", ["Core", "GoogleAuth", "HTTPClient"]),
    shared(
      "Chat",
      [
        "Core", "Cryptography", "FirestoreClient", "FirestoreModel", "FunctionRuntime",
        "GoogleAuth", "HTTPClient", "LanguageDetection", "Providers", logging,
      ]
    ),

    .systemLibrary(
      name: "CZlib",
      path: "emulator/CZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
    ),
    .target(name: "CPages", path: "emulator/Pages", exclude: ["screenshots", "www"]),
    emulator(
      "Authentication",
      ["Core", "Cryptography", "FirestoreModel", "HTTPService", "Persistence", "Store"]
    ),
    .target(name: "CRE2", path: "emulator/CRE2", exclude: ["macOS"]),
    emulator("Rules", ["Core", "CRE2", "Cryptography", "FirestoreModel"]),
    emulator("Store", ["Core", "Cryptography", "FirestoreModel", deque]),
    emulator(
      "Persistence",
      [
        "Core", "CProcess", "Cryptography", "CZlib", "FirestoreModel", "FirestoreProtos", "Store",
        grdb, protobuf,
      ]
    ),
    emulator("GRPC", ["Core", "CZlib", "HTTPServer", nioCore, nioHPACK, nioHTTP2, protobuf]),
    emulator("WebChannel", ["Core", "HTTPService", deque, serviceLifecycle]),
    emulator(
      "FirestoreAPI",
      [
        "Authentication", "Core", "Cryptography", "FirestoreModel", "FirestoreProtos", "GRPC",
        "HTTPService", "Persistence", "Rules", "Store", "WebChannel", protobuf,
      ]
    ),
    emulator(
      "CloudStorage",
      [
        "Authentication", "Core", "Cryptography", "FirestoreModel", "FunctionRuntime",
        "HTTPService", "Persistence",
        "Rules", "Store",
      ]
    ),
    emulator(
      "RealtimeDatabase",
      [
        "Authentication", "Core", "Cryptography", "FirestoreModel", "FunctionRuntime", "HTTPServer",
        "HTTPService", "Persistence", "Rules", "Store", nioCore,
      ]
    ),
    emulator(
      "Delivery",
      [
        "CloudEvents", "CloudStorage", "Core", "FirestoreModel", "FunctionHost", "FunctionRuntime",
        "HTTPClient", "RealtimeDatabase", "Store", deque, logging,
      ]
    ),
    emulator(
      "ProviderFakes",
      [
        "Core", "Cryptography", "FunctionHost", "HTTPService", "LanguageDetection",
      ]
    ),
    emulator(
      "ProviderProxy",
      [
        "Core", "GoogleAuth", "HTTPClient", "HTTPService", "ProviderFakes", "Providers",
      ]
    ),
    emulator(
      "Services",
      [
        "Authentication", "CloudEvents", "Core", "Cryptography", "Delivery", "FirestoreModel",
        "FunctionHost",
        "FunctionRuntime", "HTTPClient", "HTTPServer", "HTTPService", "Persistence",
        "ProviderFakes", "Store",
      ]
    ),
    emulator(
      "Recording",
      [
        "Core", "Cryptography", "Delivery", "FirestoreAPI", "FirestoreModel", "FunctionHost",
        "FunctionRuntime", "HTTPServer", "HTTPService", "Persistence", "ProviderFakes", "Services",
        "Store", deque, logging,
      ]
    ),
    emulator(
      "UI",
      [
        "CloudStorage", "Core", "CPages", "Cryptography", "Delivery", "FirestoreAPI",
        "FirestoreModel", "FirestoreProtos", "FunctionHost", "FunctionRuntime", "GRPC",
        "HTTPService", "Persistence", "Providers", "RealtimeDatabase", "Recording", "Rules",
        "Services", "Store", deque,
      ]
    ),
    program(
      "emulator",
      in: "emulator/main",
      [
        "Authentication", "CloudEvents", "CloudStorage", "Core", "Cryptography", "Delivery",
        "FirestoreAPI", "FirestoreClient", "FirestoreModel",
        "FunctionHost", "FunctionRuntime", "GoogleAuth", "GRPC", "HTTPClient", "HTTPServer",
        "HTTPService", "Persistence", "ProviderFakes", "ProviderProxy", "Providers",
        "RealtimeDatabase", "Recording", "Rules", "Services", "Store", "UI", argumentParser,
        logging, serviceLifecycle, unixSignals,
      ]
    ),

    .target(
      name: "TestKit",
      dependencies: [
        "Core", "FirestoreModel", "FunctionHost", "GoogleAuth", "HTTPClient",
      ],
      path: "Tests/TestKit"
    ),
    program(
      "echoServer",
      in: "Tests/EchoServer",
      [
        "Core", "GRPC", "HTTPServer", "HTTPService", "Services", logging, nioPosix,
        serviceLifecycle, protobuf,
      ]
    ),
    program("greet", in: "Tests/Greet", ["Core", "FunctionRuntime"]),
    program(
      "listenLoad",
      in: "Tests/ListenLoad",
      [
        "Core", "FirestoreProtos", argumentParser, nioCore, nioHPACK, nioHTTP1, nioPosix, protobuf,
      ]
    ),
    .target(
      name: "UnsyncedFiles",
      path: "Tests/UnsyncedFiles",
      linkerSettings: [.linkedLibrary("sqlite3")]
    ),
    tests(
      "Authentication",
      [
        "Authentication", "Core", "Cryptography", "FirestoreModel", "Persistence", "Store",
        "TestKit",
      ]
    ),
    tests(
      "Chat",
      [
        "Chat", "Core", "FirestoreClient", "FirestoreModel", "FunctionRuntime", "HTTPClient",
        "LanguageDetection", "Providers", "TestKit", logging,
      ]
    ),
    tests(
      "CloudEvents",
      [
        "CloudEvents", "Core", "FirestoreModel", "FunctionRuntime", "HTTPService", "TestKit",
      ]
    ),
    tests(
      "CloudStorage",
      [
        "CloudStorage", "Core", "Cryptography", "FirestoreModel", "HTTPService", "Store", "TestKit",
      ]
    ),
    tests("Core", ["Core", "FirestoreModel", "TestKit"]),
    tests("Cryptography", ["Core", "Cryptography", "TestKit"]),
    tests(
      "Delivery",
      [
        "CloudEvents", "CloudStorage", "Core", "Delivery", "FirestoreModel", "FunctionHost",
        "FunctionRuntime", "HTTPClient", "Store", "TestKit", logging,
      ]
    ),
    tests(
      "EndToEnd",
      [
        "analyzeMessage", "askAI", "Core", "Cryptography", "emulator", "FirestoreModel",
        "forgetUser", "FunctionHost", "HTTPClient", "mirrorMembership", "mirrorPresence",
        "sendNotification", "smartReplies", "TestKit", "trackOpen", "translateMessage",
      ]
    ),
    tests("WebChannel", ["Core", "HTTPService", "TestKit", "WebChannel"]),
    tests(
      "FirestoreAPI",
      [
        "Authentication", "Core", "Cryptography", "FirestoreAPI", "FirestoreModel",
        "FirestoreProtos", "GRPC",
        "HTTPService", "Persistence", "Rules", "Store", "TestKit", protobuf,
      ]
    ),
    tests(
      "FirestoreClient",
      [
        "Core", "FirestoreClient", "FirestoreModel", "GoogleAuth", "HTTPClient", "TestKit",
      ]
    ),
    tests("FirestoreModel", ["Core", "FirestoreModel", "TestKit"]),
    tests("FunctionHost", ["Core", "FunctionHost", "FunctionRuntime", "TestKit"]),
    tests("FunctionRuntime", ["Core", "FirestoreModel", "FunctionRuntime", "TestKit", logging]),
    tests(
      "Functions",
      [
        "analyzeMessage", "askAI", "Chat", "Core", "FirestoreClient", "FirestoreModel",
        "forgetUser", "FunctionRuntime", "mirrorMembership", "mirrorPresence", "Providers",
        "sendNotification", "smartReplies", "TestKit", "translateMessage",
      ]
    ),
    tests(
      "GRPC",
      [
        "Core", "echoServer", "FirestoreAPI", "FirestoreModel", "FirestoreProtos", "GRPC",
        "HTTPServer", "Services", "Store", logging, nioCore, nioHPACK, nioPosix, serviceLifecycle,
        protobuf,
      ]
    ),
    tests(
      "GoogleAuth",
      [
        "Core", "Cryptography", "GoogleAuth", "HTTPClient", "HTTPService", "TestKit",
      ]
    ),
    tests("HTTPClient", ["Core", "HTTPClient", "TestKit"]),
    tests(
      "HTTPServer",
      [
        "Core", "HTTPServer", "HTTPService", "TestKit", logging, nioCore, serviceLifecycle,
      ]
    ),
    tests("LanguageDetection", ["LanguageDetection", "TestKit"]),
    tests(
      "Persistence",
      [
        "Core", "Cryptography", "FirestoreModel", "FirestoreProtos", "Persistence", "Store",
        "TestKit", "UnsyncedFiles", grdb, protobuf,
      ]
    ),
    tests(
      "ProviderFakes",
      [
        "Core", "Cryptography", "FunctionHost", "HTTPService", "LanguageDetection", "ProviderFakes",
        "TestKit",
      ]
    ),
    tests(
      "ProviderProxy",
      [
        "Core", "HTTPClient", "HTTPService", "ProviderFakes", "ProviderProxy", "Providers",
        "TestKit",
      ]
    ),
    tests("Providers", ["Core", "GoogleAuth", "HTTPClient", "Providers", "TestKit"]),
    tests(
      "Recording",
      [
        "Core", "Cryptography", "Delivery", "FirestoreModel", "FunctionHost", "FunctionRuntime",
        "HTTPService", "ProviderFakes", "Recording", "TestKit",
      ]
    ),
    tests(
      "RealtimeDatabase",
      ["Core", "Cryptography", "RealtimeDatabase", "Rules"]
    ),
    tests("Rules", ["Core", "FirestoreModel", "Rules"]),
    tests(
      "Serve",
      [
        "Core", "Cryptography", "FunctionHost", "HTTPClient", "serve", "TestKit",
        "translateMessage",
      ]
    ),
    tests(
      "Services",
      [
        "Authentication", "CloudEvents", "Core", "Cryptography", "Delivery", "FirestoreModel",
        "FunctionHost",
        "FunctionRuntime", "HTTPClient", "HTTPService", "ProviderFakes", "Recording", "Services",
        "TestKit", logging,
      ]
    ),
    tests("Store", ["Core", "FirestoreModel", "Store", "TestKit"]),
    tests("UI", ["TestKit", "UI"]),
  ],
  cxxLanguageStandard: .cxx17
)

// On Linux, the emulator contains RE2's static library, so that it runs where RE2 isn't installed.
// Versions of RE2 that need Abseil, as in Debian 13, and Homebrew's are linked as shared libraries.
for target in package.targets where target.name == "CRE2" {
  #if os(macOS)
    target.dependencies.append("RE2")
    package.targets.append(
      .systemLibrary(
        name: "RE2",
        path: "emulator/CRE2/macOS",
        pkgConfig: "re2",
        providers: [.brew(["re2"])]
      )
    )
  #else
    let header = try? String(contentsOfFile: "/usr/include/re2/re2.h", encoding: .utf8)
    let needsAbseil = header?.contains("absl/") ?? false
    target.linkerSettings = [.linkedLibrary(needsAbseil ? "re2" : ":libre2.a")]
  #endif
}

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
}

// Release executables contain the Swift runtime: a cold start takes a third of the time, and a
// machine without Swift can run them. A static Foundation needs further libraries, which are linked
// if the executable's own module imports Foundation. So each @main file imports it, directly or
// through Core.
for target in package.targets where target.type == .executable {
  let flags = ["-static-stdlib"]
  target.swiftSettings?.append(
    .unsafeFlags(flags, .when(platforms: [.linux], configuration: .release))
  )
  target.linkerSettings = [
    .unsafeFlags(flags, .when(platforms: [.linux], configuration: .release))
  ]
}

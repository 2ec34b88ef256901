// swift-tools-version: 6.2
import PackageDescription

// An app of its own, as a user of the package would have it. In your app write
// .package(url: …, from: …) instead of the path.
let package = Package(
  name: "Consumer",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Reactor", path: "../..")],
  targets: [
    .executableTarget(
      name: "Consumer",
      dependencies: [
        .product(name: "Reactor", package: "Reactor"),
        .product(name: "ReactorLocalRuntime", package: "Reactor"),
      ])
  ],
  swiftLanguageModes: [.v6]
)

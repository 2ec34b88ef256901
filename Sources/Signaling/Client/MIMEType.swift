/// MIME types by file name, for what models take.
package enum MIMEType {
  private static let byExtension: [String: String] = [
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
    "avif": "image/avif", "bmp": "image/bmp", "tif": "image/tiff", "tiff": "image/tiff", "heic": "image/heic",
    "svg": "image/svg+xml", "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime",
    "webm": "video/webm", "mkv": "video/x-matroska", "avi": "video/x-msvideo", "mp3": "audio/mpeg",
    "wav": "audio/wav", "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/opus", "flac": "audio/flac",
    "m4a": "audio/mp4", "aac": "audio/aac", "json": "application/json", "txt": "text/plain",
    "csv": "text/csv", "html": "text/html", "xml": "application/xml", "yaml": "application/yaml",
    "yml": "application/yaml", "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip",
    "glb": "model/gltf-binary", "gltf": "model/gltf+json",
  ]

  /// The type that `fileName`'s extension names, else `application/octet-stream`.
  package static func guess(fileName: String) -> String {
    guard let dot = fileName.lastIndex(of: ".") else { return "application/octet-stream" }
    return byExtension[fileName[fileName.index(after: dot)...].lowercased()] ?? "application/octet-stream"
  }
}

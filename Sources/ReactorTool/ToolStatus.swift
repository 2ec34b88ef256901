/// What the shell gets.
package enum ToolStatus: Int32 {
  case success = 0
  case failure = 1
  case usage = 2
  /// What shells use for a program that ended by SIGINT.
  case interrupted = 130
}

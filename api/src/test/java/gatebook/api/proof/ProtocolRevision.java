package gatebook.api.proof;

/**
 * The two supported protocol generations of the Model Context Protocol, each with its newest
 * revision.
 */
enum ProtocolRevision {
  SESSIONS("2025-11-25", "sessions.mjs"),
  STATELESS("2026-07-28", "stateless.mjs");

  private final String revision;
  private final String script;

  ProtocolRevision(String revision, String script) {
    this.revision = revision;
    this.script = script;
  }

  String revision() {
    return revision;
  }

  /** The script of a server that speaks this revision. */
  String serverScript() {
    return "fixture/" + script;
  }

  /** The script of a client that speaks this revision. */
  String clientScript() {
    return "client/" + script;
  }
}

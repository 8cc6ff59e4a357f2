package gatebook.api.proof;

/** The two kinds of the Model Context Protocol that are alive, each by its newest revision. */
enum Era {
  SESSIONS("2025-11-25", "sessions.mjs"),
  STATELESS("2026-07-28", "stateless.mjs");

  private final String revision;
  private final String script;

  Era(String revision, String script) {
    this.revision = revision;
    this.script = script;
  }

  String revision() {
    return revision;
  }

  /** The script of the server that speaks it. */
  String server() {
    return "fixture/" + script;
  }

  /** The script of the client that speaks it. */
  String client() {
    return "client/" + script;
  }
}

package gatebook.command.gate;

import gatebook.command.rules.Source.Kind;

/** A family of sources: those that answer for the same kind of names. */
public enum SourceFamily {
  /** Tools, resources and prompts of MCP. */
  TOOLS,
  /** Methods of any JSON-RPC. */
  METHODS,
  /** Agents, which callers address by the ids of their sources. */
  AGENTS;

  public boolean includes(Kind kind) {
    return switch (kind) {
      case MCP, DEMO -> this == TOOLS;
      case JSONRPC -> this == METHODS;
      case A2A -> this == AGENTS;
    };
  }
}

package gatebook.api.stdio;

import gatebook.api.daemon.BuiltInMethods.Described;
import java.util.List;

/** The methods for operators that an operator's token permits over stdio: only those that read. */
final class StdioAuditMethods {

  static final List<Described> ALL =
      List.of(
          read(
              "audit.lookup",
              "The calls that an id identifies, with their events.",
              "{calls: [object]}",
              "id: string",
              "asOf: string?"),
          read(
              "audit.calls",
              "Calls that match a filter.",
              "{calls: [object]}",
              "status: string?",
              "method: string?",
              "principal: string?",
              "since: string?",
              "limit: integer?"),
          read(
              "audit.denials",
              "Counts of denied calls.",
              "{total: integer, groups: [object]}",
              "by: [string]?",
              "since: string?",
              "until: string?"),
          read(
              "audit.deniedCalls",
              "The calls that audit.denials counts.",
              "{total: integer, calls: [object], cursor: string?}",
              "gate: string?",
              "tool: string?",
              "since: string?",
              "until: string?",
              "cursor: string?"),
          read(
              "audit.failedCalls",
              "The calls that audit.errors counts.",
              "{total: integer, calls: [object], cursor: string?}",
              "fingerprint: string?",
              "since: string?",
              "until: string?",
              "cursor: string?"),
          read(
              "audit.proof",
              "Proves that the events of a call are in the journal.",
              "{checkpoint: object, key: string, events: [object]}",
              "callId: string?",
              "position: integer?"),
          read(
              "audit.errors",
              "Counts of the errors returned to callers.",
              "{groups: [object]}",
              "since: string?",
              "until: string?"),
          read(
              "audit.trees",
              "Trees of tasks that match a filter, newest first.",
              "{trees: [object], cursor: string?}",
              "owner: string?",
              "status: string?",
              "limit: integer?",
              "cursor: string?"),
          read("audit.projections", "The position of each view.", "{projections: [object]}"),
          read(
              "node.status",
              "The node that owns the journal: its journal, disk and sources.",
              "{node: string, version: string, startedAt: string?, journal: object, disk: object,"
                  + " sources: [object], nodes: [object]}"),
          read(
              "audit.verify",
              "Verifies that the journal was not edited.",
              "{clean: boolean, findings: [object], read: object, stamped: object}",
              "against: [string]?",
              "all: boolean?"));

  private static Described read(String name, String description, String returns, String... params) {
    return new Described(name, description, List.of(params), returns);
  }

  private StdioAuditMethods() {}

  static boolean include(String method) {
    return ALL.stream().anyMatch(it -> it.name().equals(method));
  }
}

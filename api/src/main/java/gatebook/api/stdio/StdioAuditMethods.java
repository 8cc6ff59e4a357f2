package gatebook.api.stdio;

import gatebook.api.daemon.BuiltInMethods.Described;
import gatebook.api.operator.methods.AuditMethods;
import gatebook.api.operator.methods.CaseMethod;
import gatebook.api.operator.methods.CountedCallMethods;
import gatebook.api.operator.methods.CountingMethods;
import gatebook.api.operator.methods.ProofMethod;
import gatebook.api.operator.methods.TreeMethods;
import gatebook.api.rpc.DeclaredParams;
import java.util.List;

/**
 * The methods for operators that an operator's token permits over stdio: those that read and answer
 * at once. What decides something, changes the node, or goes on after its answer, as a what-if, is
 * for the operators' port.
 */
final class StdioAuditMethods {

  static final List<Described> ALL =
      List.of(
          new Described(
              "audit.lookup",
              "The calls that an id identifies, with their events.",
              AuditMethods.LOOKUP,
              "{calls: [object]}"),
          new Described(
              "audit.calls", "Calls that match a filter.", AuditMethods.CALLS, "{calls: [object]}"),
          new Described(
              "audit.denials",
              "Counts of denied calls.",
              CountingMethods.DENIALS,
              "{total: integer, groups: [object]}"),
          new Described(
              "audit.deniedCalls",
              "The calls that audit.denials counts.",
              CountedCallMethods.DENIED_CALLS,
              "{total: integer, calls: [object], cursor: string?}"),
          new Described(
              "audit.failedCalls",
              "The calls that audit.errors counts.",
              CountedCallMethods.FAILED_CALLS,
              "{total: integer, calls: [object], cursor: string?}"),
          new Described(
              "audit.proof",
              "Proves that the events of a call are in the journal.",
              ProofMethod.PROOF,
              "{checkpoint: object, key: string, events: [object]}"),
          new Described(
              CaseMethod.NAME,
              "Makes a case file, which proves a call or a tree without the journal.",
              CaseMethod.PARAMS,
              "{subjects: [string], events: integer, keys: integer, notShown: [object], bytes:"
                  + " integer, file: string}"),
          new Described(
              "audit.errors",
              "Counts of the errors returned to callers.",
              CountingMethods.ERRORS,
              "{groups: [object]}"),
          new Described(
              "audit.trees",
              "Trees of tasks that match a filter, newest first.",
              TreeMethods.TREES,
              "{trees: [object], cursor: string?}"),
          new Described(
              "audit.projections",
              "The position of each view.",
              DeclaredParams.of(),
              "{projections: [object]}"),
          new Described(
              "node.status",
              "The node that owns the journal: its journal, disk and sources.",
              DeclaredParams.of(),
              "{node: string, version: string, startedAt: string?, journal: object, disk: object,"
                  + " sources: [object], nodes: [object]}"),
          new Described(
              "audit.verify",
              "Verifies that the journal was not edited.",
              AuditMethods.VERIFY,
              "{clean: boolean, findings: [object], read: object, stamped: object}"));

  private StdioAuditMethods() {}

  static boolean include(String method) {
    return ALL.stream().anyMatch(it -> it.name().equals(method));
  }
}

package gatebook.api.operator.methods;

import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.ParamTypes;
import gatebook.api.rpc.DeclaredParams;
import gatebook.api.rpc.RequestMember;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.journal.Journal;
import gatebook.query.Views;
import gatebook.query.proof.InclusionProof;
import gatebook.query.proof.InclusionProof.ProvenEvent;
import gatebook.query.proof.InclusionProof.SignedTree;
import gatebook.query.proof.ProveCall;
import gatebook.query.proof.ProveEvents;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The method {@code audit.proof}: returns a proof that an event is in the journal, which can be
 * checked without the journal.
 */
public final class ProofMethod {
  private static final HexFormat HEX = HexFormat.of();

  /** The params of {@code audit.proof}. */
  public static final DeclaredParams PROOF =
      DeclaredParams.of(
          RequestMember.optional("callId", ParamTypes.CALL_ID, "The call."),
          RequestMember.optional("position", ParamTypes.POSITION, "The position of an event."));

  private final Journal journal;
  private final Views views;

  public ProofMethod(Journal journal, Views views) {
    this.journal = journal;
    this.views = views;
  }

  public List<OperatorMethod> all() {
    return List.of(
        new OperatorMethod(
            "audit.proof",
            "Proves that the events of a call, or the one at a position, are in the tree that the"
                + " newest checkpoint signs. The first proof after a start needs the whole tree:"
                + " while it is read, the error NotNow has in its data the position up to which it"
                + " is, of size. An error about events that may have been dropped has"
                + " droppedThrough in its data.",
            PROOF,
            Set.of(Role.VIEW),
            true,
            this::prove));
  }

  private Outcome prove(CallParams callParams, Operator operator) throws InterruptedException {
    if (callParams.has("callId") == callParams.has("position")) {
      return new Outcome.InvalidParams(
          "give either callId or position",
          "callId",
          "either callId or position",
          callParams.has("callId") ? "both" : "nothing");
    }
    Optional<UUID> call =
        callParams.has("callId") ? Optional.of(callParams.callId("callId")) : Optional.empty();
    Object query =
        call.<Object>map(ProveCall::new)
            .orElseGet(() -> new ProveEvents(List.of(callParams.position("position"))));
    return switch (views.queries().send(query, InclusionProof.class)) {
      case InclusionProof.Proven(var signedTree, var events) ->
          new Outcome.Answered(json(signedTree, events, operator), call);
      case InclusionProof.NothingRecorded() -> call.map(this::noCall).orElseGet(this::noEvent);
      case InclusionProof.Unavailable unavailable -> notNow(unavailable);
    };
  }

  /** Why nothing can be proved now. */
  static Outcome notNow(InclusionProof.Unavailable unavailable) {
    return switch (unavailable) {
      case InclusionProof.NothingSigned() ->
          new Outcome.Busy("the journal has no checkpoint yet: try again in a second");
      case InclusionProof.BeingRead(var position, var size) ->
          new Outcome.Busy(
              "the tree is read for the first time, up to position %d of %d so far: try again"
                  .formatted(position, size),
              Map.of("position", Long.toString(position), "size", Long.toString(size)));
      case InclusionProof.Disagreement(var size) ->
          new Outcome.Busy(
              "the journal's rows do not lead to its checkpoint over %d events: audit.verify says what was edited"
                  .formatted(size));
    };
  }

  private Outcome noCall(UUID call) {
    DroppedPart.NotFound notFound = DroppedPart.notFound("no call has this id", views);
    return new Outcome.UnknownCall(notFound.sentence(), call, notFound.data());
  }

  private Outcome noEvent() {
    DroppedPart.NotFound notFound = DroppedPart.notFound("no event is at this position", views);
    return new Outcome.InvalidParams(
        notFound.sentence(), "position", "the position of an event", "number", notFound.data());
  }

  private Map<String, Object> json(
      SignedTree signedTree, List<ProvenEvent> events, Operator operator) {
    Map<String, Object> checkpoint = new LinkedHashMap<>();
    checkpoint.put("text", signedTree.note());
    checkpoint.put("size", signedTree.size());
    checkpoint.put("at", signedTree.lastEventAt().orElse(null));
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("checkpoint", checkpoint);
    result.put("key", journal.verifier().named(origin(signedTree)).text());
    result.put("events", events.stream().map(event -> json(event, operator)).toList());
    return result;
  }

  /** The name of the log, under which the key signed the checkpoint. */
  private static String origin(SignedTree signedTree) {
    return signedTree.note().lines().findFirst().orElseThrow();
  }

  private static Map<String, Object> json(ProvenEvent event, Operator operator) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("position", event.position());
    json.put("name", event.name());
    json.put("leafHash", HEX.formatHex(event.leaf()));
    json.put("covered", event.path().isPresent());
    if (operator.has(Role.ARGUMENTS)) {
      json.put("envelope", Base64.getEncoder().encodeToString(event.envelope()));
    }
    event
        .path()
        .ifPresent(path -> json.put("path", path.hashes().stream().map(HEX::formatHex).toList()));
    return json;
  }
}

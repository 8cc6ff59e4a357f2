package gatebook.api.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.http.Body;
import gatebook.api.operator.Method.Outcome;
import gatebook.api.rpc.Answer;
import gatebook.api.rpc.Message;
import gatebook.api.rpc.MessageReader;
import gatebook.events.OperatorActed;
import gatebook.events.call.Json;
import gatebook.events.fault.Malformed;
import gatebook.events.journal.Append;
import gatebook.events.journal.Condition;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalUnreadable;
import gatebook.events.vocabulary.Vocabulary;
import gatebook.query.calls.Call;
import gatebook.query.calls.Calls;
import gatebook.query.calls.Lookup;
import gatebook.query.projection.ViewFailed;
import gatebook.query.verification.KeptElsewhere;
import gatebook.query.verification.Limits;
import gatebook.query.verification.Report;
import gatebook.query.verification.Verification;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers operators. Every question that was understood is recorded before its answer is given out.
 */
public final class Desk {
  private static final Logger LOG = LoggerFactory.getLogger(Desk.class);

  /** A recorded question must fit into an event. */
  static final int BODY_BYTES_MAX = 256 * 1024;

  private static final int PARSE_ERROR = -32_700;
  private static final int INVALID_REQUEST = -32_600;
  private static final int METHOD_NOT_FOUND = -32_601;
  private static final int INVALID_PARAMS = -32_602;
  private static final int INTERNAL_ERROR = -32_603;
  private static final int NOT_NOW = -32_000;

  private static final String OPERATOR = "operator";

  private final Journal journal;
  private final Calls calls;
  private final byte[] token;
  private final Clock clock;
  private final List<Method> methods;
  private final Vocabulary vocabulary = new Vocabulary();
  private final MessageReader reader = new MessageReader(MessageReader.DEPTH_MAX);
  private final JsonMapper json = new JsonMapper();
  private final Semaphore verifying = new Semaphore(1);

  /**
   * @param token what opens this desk; nobody learns from the time an answer takes how much of it
   *     he has guessed
   */
  public Desk(Journal journal, Calls calls, String token, String version, Clock clock) {
    this.journal = journal;
    this.calls = calls;
    this.token = token.getBytes(UTF_8);
    this.clock = clock;
    List<Method> all =
        new ArrayList<>(
            List.of(
                new Method(
                    "audit.lookup",
                    "What happened to the calls that an id stands for.",
                    List.of(
                        Param.required(
                            "id",
                            Param.Type.TEXT,
                            "Any id given or handed out: of a call, its correlation, trace, task"
                                + " or approval."),
                        Param.optional(
                            "atLeast",
                            Param.Type.POSITION,
                            "The position the answer must know of; it waits 2 s at most.")),
                    true,
                    this::lookup),
                new Method(
                    "audit.verify",
                    "Whether the journal was edited.",
                    List.of(
                        Param.optional(
                            "against",
                            Param.Type.NOTES,
                            "Checkpoints that were kept elsewhere, each as its whole text.")),
                    false,
                    this::verify),
                new Method(
                    "audit.projections",
                    "How far each view has come.",
                    List.of(),
                    false,
                    _ -> answered(Map.of("projections", List.of(calls.standing()))))));
    all.add(
        new Method(
            "rpc.discover",
            "This document.",
            List.of(),
            false,
            _ -> answered(OpenRpc.document(List.copyOf(all), version))));
    this.methods = List.copyOf(all);
  }

  /** Whether this is what opens the desk. */
  public boolean opens(String presented) {
    return MessageDigest.isEqual(token, presented.getBytes(UTF_8));
  }

  /** The answer to one message; none to a notification, which asks for none. May block. */
  Optional<byte[]> answer(Body body) {
    if (body.sizeBytes() > BODY_BYTES_MAX) {
      return Optional.of(
          Answer.error(
              null,
              INVALID_REQUEST,
              "the message is longer than %d bytes".formatted(BODY_BYTES_MAX),
              null));
    }
    if (body.fault() != null) {
      return Optional.of(unreadable(body.fault(), null));
    }
    return switch (reader.read(body.bytes())) {
      case Message.Notification _ -> Optional.empty();
      case Message.Unreadable(var fault, var id) -> Optional.of(unreadable(fault, id));
      case Message.Request request -> Optional.of(answer(request));
    };
  }

  private static byte[] unreadable(Malformed fault, @Nullable String id) {
    Json reason = Json.parse("{\"reason\":\"" + fault.kind() + "\"}");
    return fault instanceof Malformed.ParseError
        ? Answer.error(id, PARSE_ERROR, "the message is not JSON", reason)
        : Answer.error(id, INVALID_REQUEST, "the message is no JSON-RPC 2.0 request", reason);
  }

  private byte[] answer(Message.Request request) {
    Optional<Method> method =
        methods.stream().filter(it -> it.name().equals(request.method())).findFirst();
    if (method.isEmpty()) {
      return Answer.error(
          request.id(), METHOD_NOT_FOUND, "no such method: ask rpc.discover for all", null);
    }
    return switch (Params.read(method.get().params(), request.params())) {
      case Params.Reading.Wrong(var sentence) ->
          Answer.error(request.id(), INVALID_PARAMS, sentence, null);
      case Params.Reading.Read(var params) -> answer(request, method.get(), params);
    };
  }

  private byte[] answer(Message.Request request, Method method, Params params) {
    try {
      return switch (method.answering().answer(params)) {
        case Outcome.Busy(var sentence) -> Answer.error(request.id(), NOT_NOW, sentence, null);
        case Outcome.Answered(var result, var call) -> recorded(request, method, result, call);
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Answer.error(request.id(), NOT_NOW, "this node is stopping: ask again later", null);
    } catch (JournalUnreadable | ViewFailed e) {
      LOG.error("an operator's question could not be answered", e);
      return Answer.error(
          request.id(), INTERNAL_ERROR, "the database failed: see the log of this node", null);
    } catch (RuntimeException e) {
      LOG.error("an operator's question could not be answered", e);
      return Answer.error(
          request.id(), INTERNAL_ERROR, "this went wrong here: see the log of this node", null);
    }
  }

  private byte[] recorded(
      Message.Request request, Method method, Object result, Optional<UUID> call) {
    Optional<String> notRecorded = record(request, call);
    if (notRecorded.isPresent() && method.showsCalls()) {
      return Answer.error(
          request.id(),
          NOT_NOW,
          "calls are shown only when it is recorded who saw them, and the journal cannot: "
              + notRecorded.get(),
          null);
    }
    notRecorded.ifPresent(why ->
        LOG.atWarn()
            .addKeyValue("method", method.name())
            .addKeyValue("reason", why)
            .log("an operator's question was answered and not recorded"));
    return Answer.result(request.id(), text(result));
  }

  /** Empty when it is recorded that the operator asked, else why it is not. */
  private Optional<String> record(Message.Request request, Optional<UUID> call) {
    Json params = request.params() == null ? null : Json.parse(request.params());
    OperatorActed acted =
        new OperatorActed(OPERATOR, request.method(), params, call.orElse(null), true);
    Append append =
        journal.append(Condition.none(), List.of(vocabulary.draft(acted, clock.instant()))).join();
    return switch (append) {
      case Append.Stored _ -> Optional.empty();
      case Append.Refused refused -> Optional.of(refused.reason());
      case Append.Conflict _ -> throw new IllegalStateException("a conflict without a condition");
    };
  }

  private Outcome lookup(Params params) throws InterruptedException {
    return switch (calls.lookup(params.text("id"), params.position("atLeast"))) {
      case Lookup.Found(var found, var more) ->
          new Outcome.Answered(
              shown(found, more, null),
              found.size() == 1 ? Optional.of(found.getFirst().callId()) : Optional.empty());
      case Lookup.NeverSeen(var position) ->
          answered(
              shown(
                  List.of(),
                  false,
                  new NotFound(
                      "never-seen",
                      "no call up to position %d is known by this id".formatted(position))));
      case Lookup.NotProjectedYet(var position, var awaited) ->
          answered(
              shown(
                  List.of(),
                  false,
                  new NotFound(
                      "not-projected-yet",
                      "the view has come to position %d of %d: ask again"
                          .formatted(position, awaited))));
    };
  }

  private record NotFound(String reason, String message) {}

  private static Map<String, Object> shown(
      List<Call> calls, boolean more, @Nullable NotFound notFound) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("calls", calls);
    shown.put("more", more);
    if (notFound != null) {
      shown.put("notFound", notFound);
    }
    return shown;
  }

  private Outcome verify(Params params) {
    if (!verifying.tryAcquire()) {
      return new Outcome.Busy("the journal is being verified already: ask again when that is done");
    }
    try (var snapshot = journal.snapshot()) {
      Report report =
          new Verification(List.of(journal.verifier()), Limits.DEFAULT)
              .verify(snapshot, keptElsewhere(params.texts("against")));
      return answered(Verifications.json(report, journal.verifier()));
    } finally {
      verifying.release();
    }
  }

  private static List<KeptElsewhere> keptElsewhere(List<String> notes) {
    List<KeptElsewhere> kept = new ArrayList<>();
    for (String note : notes) {
      kept.add(new KeptElsewhere("against[" + kept.size() + "]", note.getBytes(UTF_8)));
    }
    return kept;
  }

  private static Outcome answered(Object result) {
    return new Outcome.Answered(result, Optional.empty());
  }

  private String text(Object result) {
    try {
      return json.writeValueAsString(result);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}

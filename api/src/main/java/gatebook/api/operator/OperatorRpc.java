package gatebook.api.operator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.data.OperatorToken;
import gatebook.api.gateway.BearerToken;
import gatebook.api.gateway.CallerConnection;
import gatebook.api.http.RequestBody;
import gatebook.api.operator.OperatorErrors.Code;
import gatebook.api.operator.OperatorMethod.Outcome;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.ResponseWriter;
import gatebook.api.rpc.RpcMessage;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.OperatorActed;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalUnreadable;
import gatebook.query.Views;
import gatebook.query.projection.ViewFailed;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers operators. Every question that was understood is recorded before its answer is given out.
 */
public final class OperatorRpc {
  private static final Logger LOG = LoggerFactory.getLogger(OperatorRpc.class);

  /** A recorded question must fit into an event. */
  static final int BODY_BYTES_MAX = 256 * 1024;

  private static final String STRANGER = "this token is no operator's: show another";

  private final Operators operators;
  private final OperatorAudit operatorAudit;
  private final TailReaders tailReaders;
  private final List<OperatorMethod> methods;
  private final MessageReader reader = new MessageReader(MessageReader.DEPTH_MAX);
  private final JsonMapper json = new JsonMapper();

  /**
   * @param token with which everything is allowed
   */
  public OperatorRpc(
      Journal journal,
      Views views,
      OperatorToken token,
      OperatorServices operatorServices,
      String version,
      Clock clock) {
    this.operators = new Operators(token, operatorServices.operators());
    this.operatorAudit = new OperatorAudit(journal, clock);
    this.tailReaders = new TailReaders(journal, operatorAudit);
    List<OperatorMethod> all = new ArrayList<>();
    all.addAll(new AuditMethods(journal, views.calls()).all());
    all.addAll(new CountingMethods(views.denials(), views.faults(), clock).all());
    all.addAll(new ViewMethods(views).all());
    all.addAll(new RedecideMethod(journal, views.calls(), operatorServices.again()).all());
    all.addAll(new ApprovalMethods(views.approvals(), operatorServices, clock).all());
    all.addAll(new TokenMethods(token).all());
    operatorServices.rules().ifPresent(rules -> all.addAll(new RulesMethods(rules).all()));
    all.add(
        new OperatorMethod(
            "rpc.discover",
            "This document.",
            List.of(),
            EnumSet.allOf(Role.class),
            false,
            (_, _) -> Outcome.answered(OpenRpc.document(List.copyOf(all), version))));
    this.methods = List.copyOf(all);
  }

  /** Whose token this is; empty when it opens nothing here. */
  Optional<Operator> knownBy(BearerToken shown) {
    return operators.knownBy(shown);
  }

  /** Who follows the journal here. */
  TailReaders tails() {
    return tailReaders;
  }

  /** The answer to one message of whoever shows a token somewhere else than at our door. */
  public Optional<byte[]> answer(byte[] message, String token) {
    return BearerToken.of(List.of("Bearer " + token))
        .flatMap(this::knownBy)
        .map(asker -> answer(new RequestBody(message, message.length, null), asker, generated()))
        .orElseGet(() -> Optional.of(strangers(message)));
  }

  /**
   * Lets whoever shows a token somewhere else than at our door follow the journal. May block.
   *
   * @param query of the address at which he would ask there
   * @param lastSeen the position of the last event he saw, if he lost the connection
   * @param hangUp sends him away
   */
  public TailAdmission follow(
      String token,
      String query,
      Optional<String> lastSeen,
      GatewayLimits gatewayLimits,
      CallerConnection callerConnection,
      Runnable hangUp) {
    return BearerToken.of(List.of("Bearer " + token))
        .flatMap(this::knownBy)
        .map(asker ->
            tailReaders.answer(
                new QueryStringDecoder(query).parameters(),
                lastSeen,
                new TailReaders.Asker(asker, gatewayLimits, callerConnection, hangUp)))
        .orElseGet(() -> new TailAdmission.Refused(TailAdmission.Why.FORBIDDEN, STRANGER));
  }

  private byte[] strangers(byte[] message) {
    String id = reader.read(message) instanceof RpcMessage.Request request ? request.id() : null;
    return new OperatorErrors(generated(), null)
        .error(id, Code.FORBIDDEN, STRANGER, because(Refusal.TOKEN_UNKNOWN));
  }

  private static String generated() {
    return UUID.randomUUID().toString();
  }

  /** The answer to one message; none to a notification, which asks for none. May block. */
  Optional<byte[]> answer(RequestBody requestBody, Operator asker, String correlationId) {
    OperatorErrors errors = new OperatorErrors(correlationId, asker.name());
    if (requestBody.sizeBytes() > BODY_BYTES_MAX) {
      return Optional.of(
          errors.error(
              null,
              Code.INVALID_REQUEST,
              "the message is longer than %d bytes".formatted(BODY_BYTES_MAX)));
    }
    if (requestBody.fault() != null) {
      return Optional.of(unreadable(requestBody.fault(), null, errors));
    }
    return switch (reader.read(requestBody.bytes())) {
      case RpcMessage.Notification _ -> Optional.empty();
      case RpcMessage.Unreadable(var fault, var id) -> Optional.of(unreadable(fault, id, errors));
      case RpcMessage.Request request -> Optional.of(answer(request, asker, errors));
    };
  }

  private static byte[] unreadable(Malformed fault, @Nullable String id, OperatorErrors errors) {
    Code code = fault instanceof Malformed.ParseError ? Code.PARSE_ERROR : Code.INVALID_REQUEST;
    return errors.error(id, code, code.sentence(), Map.of("reason", fault.kind()));
  }

  private byte[] answer(RpcMessage.Request request, Operator asker, OperatorErrors errors) {
    Optional<OperatorMethod> method =
        methods.stream().filter(it -> it.name().equals(request.method())).findFirst();
    if (method.isEmpty()) {
      return errors.error(request.id(), Code.METHOD_NOT_FOUND);
    }
    Asking asking = new Asking(request, method.get(), asker, errors);
    if (!asker.hasAnyOf(method.get().roles())) {
      return forbidden(asking);
    }
    return switch (CallParams.read(method.get().params(), request.params())) {
      case CallParams.Reading.Wrong wrong ->
          asking.error(Code.INVALID_PARAMS, wrong.sentence(), data(wrong));
      case CallParams.Reading.Read(var callParams) -> answer(asking, callParams);
    };
  }

  private static Map<String, String> data(CallParams.Reading.Wrong wrong) {
    Map<String, String> data = new LinkedHashMap<>();
    data.put("param", wrong.param());
    data.put("expected", wrong.expected());
    data.put("received", wrong.received());
    return data;
  }

  private static Map<String, String> because(Refusal refusal) {
    return Map.of("reason", refusal.word());
  }

  /** Refused whether or not that can be recorded. */
  private byte[] forbidden(Asking asking) {
    record(asking, Optional.empty(), false)
        .ifPresent(why -> asking.warn(why, "an operator was refused, and that was not recorded"));
    String roles =
        asking.method().roles().stream()
            .map(role -> role.name().toLowerCase(Locale.ROOT))
            .sorted()
            .collect(Collectors.joining(" or "));
    return asking.error(
        Code.FORBIDDEN,
        "this takes the role %s: ask an admin".formatted(roles),
        because(Refusal.NOT_PERMITTED));
  }

  private record Asking(
      RpcMessage.Request request, OperatorMethod method, Operator asker, OperatorErrors errors) {

    byte[] error(Code code, String sentence) {
      return errors.error(request.id(), code, sentence);
    }

    byte[] error(Code code, String sentence, Map<String, String> data) {
      return errors.error(request.id(), code, sentence, data);
    }

    void warn(String reason, String sentence) {
      LOG.atWarn()
          .addKeyValue("correlation_id", errors.correlationId())
          .addKeyValue("operator", asker.name())
          .addKeyValue("method", method.name())
          .addKeyValue("reason", reason)
          .log(sentence);
    }

    byte[] failed(Exception failure, String sentence) {
      LOG.atError()
          .addKeyValue("correlation_id", errors.correlationId())
          .addKeyValue("operator", asker.name())
          .addKeyValue("method", method.name())
          .setCause(failure)
          .log("an operator's question could not be answered");
      return error(Code.INTERNAL_ERROR, sentence);
    }
  }

  private byte[] answer(Asking asking, CallParams callParams) {
    try {
      return switch (asking.method().answering().answer(callParams, asking.asker())) {
        case Outcome.Busy(var sentence) -> asking.error(Code.NOT_NOW, sentence);
        case Outcome.Wrong(var sentence) -> asking.error(Code.INVALID_PARAMS, sentence);
        case Outcome.NotOne(var sentence) ->
            recorded(asking, Optional.empty(), () -> asking.error(Code.INVALID_PARAMS, sentence));
        case Outcome.NoSuch(var sentence, var call) ->
            recorded(asking, Optional.of(call), () -> asking.error(Code.INVALID_PARAMS, sentence));
        case Outcome.Answered(var result, var call) ->
            recorded(
                asking, call, () -> ResponseWriter.result(asking.request().id(), text(result)));
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return asking.error(Code.NOT_NOW, "this node is stopping: ask again later");
    } catch (JournalUnreadable | ViewFailed e) {
      return asking.failed(e, "the database failed: see the log of this node");
    } catch (RuntimeException e) {
      return asking.failed(e, Code.INTERNAL_ERROR.sentence());
    }
  }

  private byte[] recorded(Asking asking, Optional<UUID> call, Supplier<byte[]> answer) {
    Optional<String> notRecorded = record(asking, call, true);
    if (notRecorded.isPresent() && asking.method().showsCalls()) {
      return asking.error(
          Code.NOT_NOW,
          "calls are shown only when it is recorded who saw them, and the journal cannot: "
              + notRecorded.get());
    }
    notRecorded.ifPresent(
        why -> asking.warn(why, "an operator's question was answered and not recorded"));
    return answer.get();
  }

  /** Empty when it is recorded that the operator asked, else why it is not. */
  private Optional<String> record(Asking asking, Optional<UUID> call, boolean allowed) {
    String params = asking.request().params();
    OperatorActed acted =
        new OperatorActed(
            asking.asker().name(),
            asking.method().name(),
            params == null ? null : JsonValue.parse(params),
            call.orElse(null),
            allowed);
    return switch (operatorAudit.record(acted)) {
      case OperatorAudit.Recording.Recorded _ -> Optional.empty();
      case OperatorAudit.Recording.NotRecorded(var reason) -> Optional.of(reason);
    };
  }

  private String text(Object result) {
    try {
      return json.writeValueAsString(result);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}

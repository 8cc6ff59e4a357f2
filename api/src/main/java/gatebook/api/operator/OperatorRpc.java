package gatebook.api.operator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.anchor.AnchorStatus;
import gatebook.api.backup.NodeBackups;
import gatebook.api.data.OperatorToken;
import gatebook.api.gateway.BearerToken;
import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.http.RequestBody;
import gatebook.api.operator.methods.ApprovalMethods;
import gatebook.api.operator.methods.AuditMethods;
import gatebook.api.operator.methods.BackupMethods;
import gatebook.api.operator.methods.CaseMethod;
import gatebook.api.operator.methods.ConsistencyMethod;
import gatebook.api.operator.methods.ContentMethods;
import gatebook.api.operator.methods.CountedCallMethods;
import gatebook.api.operator.methods.CountingMethods;
import gatebook.api.operator.methods.KeyMethods;
import gatebook.api.operator.methods.NodeMethods;
import gatebook.api.operator.methods.OperatorServices;
import gatebook.api.operator.methods.ProofMethod;
import gatebook.api.operator.methods.QuotaMethods;
import gatebook.api.operator.methods.RedecideMethod;
import gatebook.api.operator.methods.RuleHistoryMethods;
import gatebook.api.operator.methods.RulesMethods;
import gatebook.api.operator.methods.SignInMethods;
import gatebook.api.operator.methods.TokenMethods;
import gatebook.api.operator.methods.TreeMethods;
import gatebook.api.operator.methods.ViewMethods;
import gatebook.api.operator.methods.WhatIfMethods;
import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.HiddenArguments;
import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.rpc.OperatorAudit;
import gatebook.api.operator.rpc.OperatorErrors;
import gatebook.api.operator.rpc.OperatorErrors.Code;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.RecordedParams;
import gatebook.api.operator.rpc.RotationRecord;
import gatebook.api.operator.signin.ConsoleSignIn;
import gatebook.api.operator.signin.OperatorIdentity;
import gatebook.api.operator.signin.Operators;
import gatebook.api.operator.tail.TailAdmission;
import gatebook.api.operator.tail.TailReaders;
import gatebook.api.rpc.MessageReader;
import gatebook.api.rpc.MessageWriter;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.witness.LogWitnesses;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.OperatorActed;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Misdirected.Refusal;
import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.Views;
import gatebook.query.call.CallHistory;
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
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the JSON-RPC requests of operators. A valid request is recorded before its response is
 * sent, unless that is the progress of work that was recorded when it began.
 */
public final class OperatorRpc {
  private static final Logger LOG = LoggerFactory.getLogger(OperatorRpc.class);

  /** A recorded request must fit into an event. */
  static final int BODY_BYTES_MAX = 256 * 1024;

  private static final String TOKEN_UNKNOWN = "this token belongs to no operator: use another";

  private final Operators operators;
  private final OperatorAudit operatorAudit;
  private final RecordedParams recordedParams;
  private final TailReaders tailReaders;
  private final ConsoleSignIn consoleSignIn;
  private final List<OperatorMethod> methods;
  private final MessageReader reader = new MessageReader(MessageReader.DEPTH_MAX);
  private final JsonMapper json = new JsonMapper();

  /**
   * @param eventVocabulary reads and writes events with their content
   * @param token grants every role
   * @param anchors to which this node sends checkpoints
   */
  public OperatorRpc(
      Journal journal,
      ContentKeyStore contentKeys,
      Views views,
      EventVocabulary eventVocabulary,
      OperatorToken token,
      OperatorServices operatorServices,
      ContentMethods contentMethods,
      NodeBackups nodeBackups,
      Supplier<List<AnchorStatus>> anchors,
      LogWitnesses logWitnesses,
      String version,
      Clock clock) {
    this.operators = new Operators(token, operatorServices.knownOperators());
    this.operatorAudit = new OperatorAudit(journal, eventVocabulary, clock);
    this.recordedParams =
        new RecordedParams(operatorServices.redecideContext().contentDigests(), clock);
    HiddenArguments hiddenArguments = new HiddenArguments(operatorServices.rules());
    this.tailReaders = new TailReaders(journal, eventVocabulary, operatorAudit, hiddenArguments);
    Function<Operator, OperatorIdentity> identities =
        operator -> OperatorIdentity.of(operator, journal.node(), version);
    this.consoleSignIn =
        new ConsoleSignIn(operators, operatorAudit, identities, operatorServices.limits(), clock);
    List<OperatorMethod> all = new ArrayList<>();
    AuditMethods auditMethods =
        new AuditMethods(journal, eventVocabulary, views, clock, hiddenArguments, logWitnesses);
    all.addAll(auditMethods.all());
    all.addAll(new CountingMethods(views, clock).all());
    all.addAll(new CountedCallMethods(views).all());
    all.addAll(new ProofMethod(journal, views).all());
    all.addAll(new ConsistencyMethod(journal).all());
    all.addAll(
        new CaseMethod(
                journal,
                eventVocabulary,
                contentKeys,
                views,
                hiddenArguments,
                logWitnesses,
                operatorServices.limits(),
                operatorServices.checkpointRules(),
                clock)
            .all());
    all.addAll(new TreeMethods(views).all());
    all.addAll(new ViewMethods(views).all());
    CallHistory callHistory = new CallHistory(journal, eventVocabulary);
    all.addAll(new RedecideMethod(callHistory, views, operatorServices.redecideContext()).all());
    all.addAll(new ApprovalMethods(views, operatorServices, clock).all());
    all.addAll(contentMethods.all());
    all.addAll(new TokenMethods(token).all());
    all.addAll(new BackupMethods(journal, version, nodeBackups, clock).all());
    all.addAll(new KeyMethods(journal, contentKeys, new RotationRecord(journal, clock)).all());
    all.addAll(
        new NodeMethods(
                journal,
                views,
                operatorServices.sources(),
                anchors,
                auditMethods::lastVerification,
                logWitnesses,
                operatorServices.witness(),
                version,
                clock)
            .all());
    all.addAll(new QuotaMethods(operatorServices.quotas()).all());
    all.addAll(new SignInMethods(identities, consoleSignIn).all());
    all.addAll(new RuleHistoryMethods(callHistory, views).all());
    operatorServices
        .rules()
        .ifPresent(rules -> {
          all.addAll(new RulesMethods(rules).all());
          all.addAll(
              WhatIfMethods.all(
                  journal, eventVocabulary, views, operatorServices, rules, version, clock));
        });
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

  List<OperatorMethod> methods() {
    return methods;
  }

  /** The operator with this token; empty when the token belongs to none. */
  Optional<Operator> operatorOf(BearerToken bearerToken) {
    return operators.operatorOf(bearerToken);
  }

  /** Whether an operator has the same token and roles now. */
  boolean isStillOperator(Operator operator) {
    return operators.isStill(operator);
  }

  TailReaders tailReaders() {
    return tailReaders;
  }

  public ConsoleSignIn consoleSignIn() {
    return consoleSignIn;
  }

  /**
   * Answers a message that arrives by another way than the HTTP port, with the token of its sender.
   * Empty for a notification.
   */
  public Optional<byte[]> answer(byte[] message, String token) {
    return BearerToken.of(List.of("Bearer " + token))
        .flatMap(this::operatorOf)
        .map(operator -> answer(RequestBody.of(message), operator, newCorrelationId()))
        .orElseGet(() -> Optional.of(unknownToken(message)));
  }

  /**
   * Follows the journal for a reader that connects by another way than the HTTP port. May block.
   *
   * @param query of the request's address, as over HTTP
   * @param lastSeen the position of the last event received before a reconnect
   */
  public TailAdmission follow(
      String token,
      String query,
      Optional<String> lastSeen,
      GatewayLimits gatewayLimits,
      CallerConnection callerConnection) {
    return BearerToken.of(List.of("Bearer " + token))
        .flatMap(this::operatorOf)
        .map(operator ->
            tailReaders.follow(
                new QueryStringDecoder(query).parameters(),
                lastSeen,
                new TailReaders.TailConnection(
                    operator, () -> operators.isStill(operator), gatewayLimits, callerConnection)))
        .orElseGet(() -> new TailAdmission.Refused(TailAdmission.Reason.FORBIDDEN, TOKEN_UNKNOWN));
  }

  private byte[] unknownToken(byte[] message) {
    String id = reader.read(message) instanceof RpcMessage.Request request ? request.id() : null;
    return new OperatorErrors(newCorrelationId(), null)
        .error(id, Code.FORBIDDEN, TOKEN_UNKNOWN, reasonData(Refusal.TOKEN_UNKNOWN));
  }

  private static String newCorrelationId() {
    return UUID.randomUUID().toString();
  }

  /** Answers one message; empty for a notification, which has no response. May block. */
  Optional<byte[]> answer(RequestBody requestBody, Operator operator, String correlationId) {
    OperatorErrors errors = new OperatorErrors(correlationId, operator.name());
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
      case RpcMessage.Request request -> Optional.of(answer(request, operator, errors));
    };
  }

  private static byte[] unreadable(Malformed fault, @Nullable String id, OperatorErrors errors) {
    Code code = fault instanceof Malformed.ParseError ? Code.PARSE_ERROR : Code.INVALID_REQUEST;
    return errors.error(id, code, code.sentence(), Map.of("reason", fault.kind()));
  }

  private byte[] answer(RpcMessage.Request request, Operator operator, OperatorErrors errors) {
    Optional<OperatorMethod> method =
        methods.stream().filter(it -> it.name().equals(request.method())).findFirst();
    if (method.isEmpty()) {
      return errors.error(request.id(), Code.METHOD_NOT_FOUND);
    }
    OperatorRequest operatorRequest = new OperatorRequest(request, method.get(), operator, errors);
    if (!operator.hasAnyOf(method.get().roles())) {
      return forbidden(operatorRequest);
    }
    return switch (CallParams.read(method.get().params(), request.params(), request.members())) {
      case CallParams.Reading.Invalid invalid ->
          operatorRequest.error(
              Code.INVALID_PARAMS,
              invalid.sentence(),
              paramData(invalid.param(), invalid.expected(), invalid.received()));
      case CallParams.Reading.Read(var callParams) -> answer(operatorRequest, callParams);
    };
  }

  private static Map<String, String> paramData(String param, String expected, String received) {
    Map<String, String> data = new LinkedHashMap<>();
    data.put("details", "%s: expected %s".formatted(param, expected));
    data.put("param", param);
    data.put("expected", expected);
    data.put("received", received);
    return data;
  }

  private static Map<String, String> reasonData(Refusal refusal) {
    return Map.of("reason", refusal.word());
  }

  private byte[] forbidden(OperatorRequest operatorRequest) {
    String roles =
        operatorRequest.method().roles().stream()
            .map(role -> role.name().toLowerCase(Locale.ROOT))
            .sorted()
            .collect(Collectors.joining(" or "));
    return forbidden(operatorRequest, "this requires the role %s: ask an admin".formatted(roles));
  }

  /** The request is refused whether or not the refusal can be recorded. */
  private byte[] forbidden(OperatorRequest operatorRequest, String sentence) {
    record(operatorRequest, Optional.empty(), false)
        .ifPresent(why ->
            operatorRequest.warn(why, "an operator was refused, and the refusal was not recorded"));
    return operatorRequest.error(Code.FORBIDDEN, sentence, reasonData(Refusal.NOT_PERMITTED));
  }

  private record OperatorRequest(
      RpcMessage.Request request, OperatorMethod method, Operator operator, OperatorErrors errors) {

    byte[] error(Code code, String sentence) {
      return errors.error(request.id(), code, sentence);
    }

    byte[] error(Code code, String sentence, Map<String, String> data) {
      return errors.error(request.id(), code, sentence, data);
    }

    byte[] invalidParams(String sentence, Map<String, String> paramData, Map<String, String> more) {
      Map<String, String> data = new LinkedHashMap<>(paramData);
      data.putAll(more);
      return error(Code.INVALID_PARAMS, sentence, data);
    }

    void warn(String reason, String sentence) {
      LOG.atWarn()
          .addKeyValue("correlation_id", errors.correlationId())
          .addKeyValue("operator", operator.name())
          .addKeyValue("method", method.name())
          .addKeyValue("reason", reason)
          .log(sentence);
    }

    byte[] internalError(Throwable failure, String sentence) {
      LOG.atError()
          .addKeyValue("correlation_id", errors.correlationId())
          .addKeyValue("operator", operator.name())
          .addKeyValue("method", method.name())
          .setCause(failure)
          .log("an operator request failed");
      return error(Code.INTERNAL_ERROR, sentence);
    }
  }

  private byte[] answer(OperatorRequest operatorRequest, CallParams callParams) {
    try {
      return switch (operatorRequest
          .method()
          .handler()
          .handle(callParams, operatorRequest.operator())) {
        case Outcome.Busy(var sentence, var data) ->
            operatorRequest.error(Code.NOT_NOW, sentence, data);
        case Outcome.NotPermitted(var sentence) -> forbidden(operatorRequest, sentence);
        case Outcome.InvalidParams(var sentence, var param, var expected, var received, var data) ->
            operatorRequest.invalidParams(sentence, paramData(param, expected, received), data);
        case Outcome.NotOneCall(var sentence, var data) ->
            answerOnceRecorded(
                operatorRequest,
                Optional.empty(),
                () ->
                    operatorRequest.invalidParams(
                        sentence, paramData("id", "the id of one call", "string"), data));
        case Outcome.NotShown(var sentence, var call) ->
            anotherCall(operatorRequest, call, sentence, Map.of());
        case Outcome.UnknownCall(var sentence, var call, var data) ->
            anotherCall(operatorRequest, call, sentence, data);
        case Outcome.Answered(var result, var call) ->
            answerOnceRecorded(operatorRequest, call, () -> result(operatorRequest, result));
        case Outcome.Progress(var result) -> result(operatorRequest, result);
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return operatorRequest.error(Code.NOT_NOW, "this node is stopping: try again later");
    } catch (JournalUnreadable | ViewFailed e) {
      return operatorRequest.internalError(e, "reading failed: see the log of this node");
    } catch (RuntimeException | Error e) {
      return operatorRequest.internalError(e, Code.INTERNAL_ERROR.sentence());
    }
  }

  private byte[] result(OperatorRequest operatorRequest, Object result) {
    return MessageWriter.result(operatorRequest.request().id(), text(result));
  }

  private byte[] anotherCall(
      OperatorRequest operatorRequest, UUID call, String sentence, Map<String, String> data) {
    return answerOnceRecorded(
        operatorRequest,
        Optional.of(call),
        () ->
            operatorRequest.invalidParams(
                sentence, paramData("callId", "the id of another call", "string"), data));
  }

  private byte[] answerOnceRecorded(
      OperatorRequest operatorRequest, Optional<UUID> call, Supplier<byte[]> answer) {
    Optional<String> notRecorded = record(operatorRequest, call, true);
    if (notRecorded.isPresent() && operatorRequest.method().showsCalls()) {
      return operatorRequest.error(
          Code.NOT_NOW,
          "calls are shown only when the request can be recorded, and the journal refuses it: "
              + notRecorded.get());
    }
    notRecorded.ifPresent(
        why -> operatorRequest.warn(why, "an operator request was answered but not recorded"));
    return answer.get();
  }

  /** Records the request. Empty when it is recorded, else the reason why not. */
  private Optional<String> record(
      OperatorRequest operatorRequest, Optional<UUID> call, boolean allowed) {
    OperatorActed acted =
        new OperatorActed(
            operatorRequest.operator().name(),
            operatorRequest.method().name(),
            recordedParams.of(operatorRequest.method(), operatorRequest.request()),
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

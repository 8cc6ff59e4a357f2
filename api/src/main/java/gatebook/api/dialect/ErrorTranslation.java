package gatebook.api.dialect;

import gatebook.api.upstream.mcp.McpRevisions;
import gatebook.command.call.DialectVersion;
import gatebook.command.call.FaultTranslator;
import gatebook.command.redact.Scrubber;
import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.InternalError;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Translates a fault to an error: its code, message and data. No other place does. */
public final class ErrorTranslation implements FaultTranslator {

  private static final Logger LOG = LoggerFactory.getLogger(ErrorTranslation.class);

  private final Function<DialectVersion, ErrorVocabulary> vocabularies;
  private final PublicText publicText;
  private final PublicText withPaths;
  private final Supplier<Scrubber> names;

  /**
   * A translation into every vocabulary.
   *
   * @param scrub removes from a text what no caller may see
   */
  public ErrorTranslation(UnaryOperator<String> scrub) {
    this(ErrorTranslation::vocabulary, scrub);
  }

  /**
   * A translation into every vocabulary, with a scrubber for names.
   *
   * @param names removes secrets from recorded names, as the rules say. Paths stay, as they do in
   *     the URI of a resource, which the caller sent itself
   */
  public ErrorTranslation(UnaryOperator<String> scrub, Supplier<Scrubber> names) {
    this(ErrorTranslation::vocabulary, scrub, text -> names.get().scrub(text), names);
  }

  ErrorTranslation(
      Function<DialectVersion, ErrorVocabulary> vocabularies, UnaryOperator<String> scrub) {
    this(vocabularies, scrub, scrub, () -> Scrubber.NAMES);
  }

  private ErrorTranslation(
      Function<DialectVersion, ErrorVocabulary> vocabularies,
      UnaryOperator<String> scrub,
      UnaryOperator<String> scrubExceptPaths,
      Supplier<Scrubber> names) {
    this.vocabularies = vocabularies;
    this.publicText = new PublicText(scrub);
    this.withPaths = new PublicText(scrubExceptPaths);
    this.names = names;
  }

  @Override
  public Scrubber nameScrubber() {
    return names.get();
  }

  @Override
  public ErrorResponse translate(Fault fault, DialectVersion dialectVersion, String correlationId) {
    try {
      Fault told =
          switch (dialectVersion.dialect()) {
            case A2A -> HiddenSkill.told(fault);
            case MCP, DAEMON, FLOW -> fault;
          };
      return passedOn(told, dialectVersion, correlationId)
          .orElseGet(() ->
              response(
                  vocabularies.apply(dialectVersion),
                  told,
                  dialectVersion,
                  correlationId,
                  texts(told)));
    } catch (RuntimeException | StackOverflowError e) { // patterns that scrub may overflow
      LOG.atError()
          .addKeyValue("correlation_id", correlationId)
          .addKeyValue("fault", fault.kind())
          .setCause(e)
          .log("a fault could not be translated");
      return response(
          vocabulary(dialectVersion),
          new InternalError("translating", fault.kind()),
          dialectVersion,
          correlationId,
          new PublicText(UnaryOperator.identity())); // an internal error has only words of our own
    }
  }

  private PublicText texts(Fault fault) {
    return fault instanceof Denied denied && denied.content() != null ? withPaths : publicText;
  }

  /** The source's own error, in the dialects that share their codes with sources. */
  private Optional<ErrorResponse> passedOn(
      Fault fault, DialectVersion dialectVersion, String correlationId) {
    return switch (dialectVersion.dialect()) {
      case MCP, DAEMON -> PassedOnError.response(fault, dialectVersion, correlationId, publicText);
      case FLOW, A2A -> Optional.empty();
    };
  }

  private static ErrorResponse response(
      ErrorVocabulary errorVocabulary,
      Fault fault,
      DialectVersion dialectVersion,
      String correlationId,
      PublicText publicText) {
    ErrorWords errorWords = errorVocabulary.words(fault);
    return new ErrorResponse(
        dialectVersion.dialect(),
        errorWords.code(),
        publicText.clean(errorWords.message()),
        errorVocabulary.data(fault, errorWords, correlationId, publicText),
        errorWords.httpStatus());
  }

  private static ErrorVocabulary vocabulary(DialectVersion dialectVersion) {
    return switch (dialectVersion.dialect()) {
      case MCP -> new McpVocabulary(McpRevisions.isStateless(dialectVersion.version()));
      case DAEMON -> new DaemonVocabulary();
      case FLOW -> new FlowVocabulary();
      case A2A ->
          A2aProfile.recorded(dialectVersion.version())
              .spoken()
              .map(ErrorTranslation::a2aVocabulary)
              .orElseGet(VaporaVocabulary::new);
    };
  }

  private static ErrorVocabulary a2aVocabulary(A2aVersion version) {
    return switch (version) {
      case V0_3 -> new A2aV03Vocabulary();
      case V1_0 -> new A2aV1Vocabulary();
    };
  }
}

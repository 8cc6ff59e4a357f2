package gatebook.api.dialect;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import gatebook.events.Tables;
import gatebook.events.call.DenialReason;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Gate;
import gatebook.events.fault.Category;
import gatebook.events.fault.Fault;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The documented tables of errors match the error responses. */
final class ErrorTablesTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ErrorTranslation errorTranslation = new ErrorTranslation(UnaryOperator.identity());

  @Test
  void errorPageMatchesTheErrorResponses() throws IOException {
    String tables = Stream.of(VocabularyCase.values()).map(this::table).collect(joining("\n"));

    Tables.expect("api/ERRORS.md", introduction() + tables + closing());
  }

  private static String introduction() {
    return """
    # Error responses to callers

    A code means nothing without its vocabulary. Each of these tables is printed from the translation by a test and compared
    by every build (`mvn -q test -pl api -am -Dtest=ErrorTablesTest,VocabulariesTest -Dtables=write` writes them anew).
    A message may name the tool it is about (here `tool`). A field that is not always there has a question mark. Every text
    is scrubbed and cut at 1 KiB. *Category* and *severity* are those of metrics and log lines.

    An error that a source sent has `upstream` in its data, and no other has: what of the source's own data could not stay in
    its place (a `gate` or a `correlation_id` of its own, or data that is no object), else an empty object. In the lists of
    A2A 1.0, `upstream` is in the metadata, which has texts only.

    """;
  }

  private static String closing() {
    return """

    Data of A2A 1.0 is a list. Its first element is an `ErrorInfo` of the domain `a2a-protocol.org` if the code is one of the
    protocol's own (-32001 to -32009), with the protocol's name of the error. In any case there is an `ErrorInfo` of the domain
    `gatebook`, with the name of the fault and all particulars. Version 0.3 has no `-32008` and `-32009`: `-32004` says that. At
    a path of no version, one that is not supported is refused with `-32009`, in the words of 1.0. A response with status 429 or
    503 has the header `Retry-After`.

    ## Why a gate denied a call

    The label `reason` of `thoughtgate_gate_denials_total` is one of %s.
    """
        .formatted(
            Stream.of(DenialReason.values())
                .map(reason -> "`" + reason.word() + "`")
                .collect(joining(", ")));
  }

  private String table(VocabularyCase vocabularyCase) {
    return """
    ## %s

    %s

    | fault | code | message | gate | category | severity | data | HTTP |
    | --- | --- | --- | --- | --- | --- | --- | --- |
    %s\
    """
        .formatted(
            vocabularyCase.title(),
            vocabularyCase.where(),
            Faults.all().stream()
                .collect(groupingBy(Fault::kind, LinkedHashMap::new, toList()))
                .values()
                .stream()
                .map(faults -> row(vocabularyCase, faults))
                .collect(joining()));
  }

  private String row(VocabularyCase vocabularyCase, List<Fault> sameKind) {
    Fault fault = sameKind.getFirst();
    List<ErrorResponse> errorResponses =
        sameKind.stream()
            .map(each -> errorTranslation.translate(each, vocabularyCase.dialectVersion(), "c-1"))
            .toList();
    return "| %s | %s | %s | %s | %s | %s | %s | %s |\n"
        .formatted(
            fault.kind(),
            distinct(errorResponses.stream().map(ErrorResponse::code)),
            distinct(errorResponses.stream().map(ErrorResponse::message)),
            fault.gate().map(Gate::word).orElse(""),
            distinct(sameKind.stream().map(Fault::category).map(Category::word)),
            fault.severity().word(),
            fields(vocabularyCase, sameKind),
            distinct(errorResponses.stream().map(ErrorResponse::httpStatus)));
  }

  private static String distinct(Stream<?> values) {
    return values.distinct().map(String::valueOf).collect(joining("<br>"));
  }

  private String fields(VocabularyCase vocabularyCase, List<Fault> sameKind) {
    List<Set<String>> each =
        sameKind.stream()
            .flatMap(Faults::withAndWithout)
            .map(fault ->
                fields(errorTranslation.translate(fault, vocabularyCase.dialectVersion(), "c-1")))
            .toList();
    Set<String> all = new LinkedHashSet<>();
    each.forEach(all::addAll);
    return all.stream()
        .map(name -> each.stream().allMatch(of -> of.contains(name)) ? name : name + "?")
        .collect(joining(", "));
  }

  private static Set<String> fields(ErrorResponse errorResponse) {
    JsonNode data = parsed(errorResponse);
    Set<String> names = new LinkedHashSet<>();
    if (data.isObject()) {
      data.fieldNames().forEachRemaining(names::add);
    } else {
      StreamSupport.stream(data.spliterator(), false).forEach(typed -> addTyped(names, typed));
    }
    return names;
  }

  /** What happened is in the metadata, the rest in the type. */
  private static void addTyped(Set<String> names, JsonNode typed) {
    if (typed.has("metadata")) {
      typed.get("metadata").fieldNames().forEachRemaining(names::add);
    } else {
      String type = typed.get("@type").asText();
      names.add("*" + type.substring(type.lastIndexOf('.') + 1) + "*");
    }
  }

  private static JsonNode parsed(ErrorResponse errorResponse) {
    try {
      return JSON.readTree(Objects.requireNonNull(errorResponse.data()).toString());
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }
}

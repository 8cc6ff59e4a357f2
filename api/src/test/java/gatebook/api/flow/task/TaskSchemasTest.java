package gatebook.api.flow.task;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.flow.schema.CompiledSchema;
import gatebook.api.flow.schema.SchemaCache;
import gatebook.api.flow.schema.SchemaCompiler;
import gatebook.api.flow.schema.SchemaDraft;
import gatebook.api.flow.schema.SchemaLimits;
import gatebook.api.flow.schema.SchemaReading;
import gatebook.api.flow.schema.SchemaSteps;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.fault.Problem;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What schemas of tasks and tools may be, and what they say of inputs. */
@Timeout(60)
final class TaskSchemasTest {
  private final TaskSchemas taskSchemas = new TaskSchemas(() -> GatewayLimits.DEFAULT);

  @Test
  void inputsThatMeetTheSchemaHaveNoProblems() {
    assertThat(
            check(
                """
                {"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}\
                """,
                "{\"n\":1}"))
        .isEmpty();
  }

  @Test
  void problemsNameFieldsAndReasonsButNoValues() {
    List<Problem> problems =
        check(
            """
            {"required":["name"],"additionalProperties":false,"properties":{
             "name":{},"n":{"type":["integer","null"]},"low":{"minimum":5},"word":{"enum":["a"]},
             "text":{"pattern":"^a$"},"list":{"items":{"type":"object","properties":{"x":{"maxLength":1}}}}}}
            """,
            """
            {"n":"s3cret","low":-77,"word":"s3cret","text":"s3cret","list":[{},{"x":"s3cret"}],
             "ann@s3cret.example":1,"other":2}
            """);

    assertThat(problems)
        .extracting(problem ->
            "%s: %s, %s, %s"
                .formatted(
                    problem.param(), problem.reason(), problem.expected(), problem.received()))
        .containsExactlyInAnyOrder(
            "inputs.name: Missing required field, null, null",
            "inputs.n: Wrong type, integer or null, \"string\"",
            "inputs.low: Value out of range, at least 5, null",
            "inputs.word: Value not allowed, null, null",
            "inputs.text: Does not match the pattern of the schema, null, null",
            "inputs.list[1].x: Value out of range, at most 1 characters, null",
            "inputs.*: Unknown field, null, null",
            "inputs.other: Unknown field, null, null");
    assertThat(problems.toString()).doesNotContain("s3cret", "-77");
  }

  @ParameterizedTest
  @CsvSource({
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft-07/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema"
  })
  void everyDraftIsKnown(String draft) {
    assertThat(check("{\"$schema\":\"%s\",\"required\":[\"n\"]}".formatted(draft), "{}"))
        .extracting(Problem::param)
        .containsExactly("inputs.n");
  }

  /** Only from 2019-09 on does a schema say anything beside a reference. */
  @Test
  void aSchemaWithoutADraftIsReadByItsKind() {
    String schema =
        """
        {"definitions":{"any":{}},"$ref":"#/definitions/any","required":["n"]}\
        """;

    assertThat(check(schema, SchemaDraft.DRAFT_7, "{}")).isEmpty();
    assertThat(check(schema, SchemaDraft.DRAFT_2020_12, "{}")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"$ref\":\"http://127.0.0.1:9/schema\"}",
        "{\"$ref\":\"file:///etc/hosts\"}",
        "{\"$ref\":\"classpath:/draft-07/schema\"}",
        "{\"$ref\":\"http://json-schema.org/draft-07/schema#\"}",
        "{\"$ref\":\"other.json#/a\"}",
        "{\"$dynamicRef\":\"http://127.0.0.1:9/#a\"}",
        "{\"$id\":\"http://127.0.0.1:9/a\",\"properties\":{\"n\":{\"$ref\":\"b\"}}}"
      })
  void aReferenceOutsideTheSchemaIsRefused(String schema) {
    assertThat(unusable(schema)).containsExactly(SchemaCompiler.OUTSIDE);
  }

  /** Names of properties can hide references from the search, but not from the library. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"properties\":{\"const\":{\"$ref\":\"http://127.0.0.1:9/schema\"}}}",
        "{\"properties\":{\"enum\":{\"$ref\":\"file:///etc/hosts\"}}}",
        "{\"properties\":{\"n\":{\"$schema\":\"http://127.0.0.1:9/draft\"}}}",
        "{\"$ref\":\"#/definitions/none\"}",
        "{\"$ref\":\"#none\"}"
      })
  void whatLeadsNowhereIsNotLoaded(String schema) {
    assertThat(unusable(schema)).containsExactly(SchemaCompiler.NOWHERE);
  }

  @Test
  void aReferenceToItsOwnPartIsFollowed() {
    assertThat(
            check(
                """
                {"$id":"http://127.0.0.1:9/a","definitions":{"b":{"$id":"b","type":"string"}},
                 "properties":{"n":{"$ref":"b"},"m":{"$ref":"#/definitions/b"}}}
                """,
                "{\"n\":1,\"m\":1}"))
        .extracting(Problem::param)
        .containsExactly("inputs.n", "inputs.m");
  }

  @Test
  void eachMistakeOfASchemaIsTold() {
    assertThat(unusable("{\"type\":\"objekt\",\"properties\":{\"n\":{\"minimum\":\"3\"}}}"))
        .containsExactlyInAnyOrder(
            "Not a valid JSON Schema at /type", "Not a valid JSON Schema at /properties/n/minimum");
  }

  @Test
  void anUnknownDraftIsRefused() {
    assertThat(unusable("{\"$schema\":\"http://127.0.0.1:9/draft\"}"))
        .containsExactly(SchemaCompiler.UNKNOWN_DRAFT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"^(a+)+$", "^(a|a)*$", "^(a*)*$", "^([a-z]+)*[0-9]$"})
  void patternsMatchInLinearTime(String pattern) {
    assertThat(check(withPattern(pattern), text("a".repeat(100_000) + "!")))
        .extracting(Problem::reason)
        .containsExactly("Does not match the pattern of the schema");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "^(?=a)",
        "(?<!a)b",
        "(a)\\\\1",
        "(((x{100}){100}){100}){100}",
        "x{1001}",
        "(((((((x{1,10}){10}){10}){10}){10}){10}){10})",
        "("
      })
  void aPatternThatCannotBeMatchedSoIsRefused(String pattern) {
    assertThat(unusable(withPattern(pattern))).containsExactly(SchemaCompiler.PATTERNS);
  }

  @Test
  void toolsSchemaIsCheckedWithoutUnmatchablePatterns() {
    String schema =
        """
        {"required":["n"],"properties":{"s":{"type":"string","pattern":"^(?=.*[A-Z]).+$"},\
        "n":{"type":"integer"}}}\
        """;

    assertThat(check(schema, SchemaDraft.DRAFT_2020_12, "{\"s\":\"a\",\"n\":1}")).isEmpty();
    assertThat(check(schema, SchemaDraft.DRAFT_2020_12, "{\"s\":1,\"n\":\"a\"}"))
        .extracting(Problem::param)
        .containsExactlyInAnyOrder("inputs.s", "inputs.n");
    assertThat(unusable(schema)).containsExactly(SchemaCompiler.PATTERNS);
  }

  /** If such a pattern matched anything, inputs would be refused that the schema allows. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"not\":{\"pattern\":\"^(?=a)b\"}}",
        "{\"if\":{\"pattern\":\"^(?=a)b\"},\"then\":false}",
        "{\"oneOf\":[{\"pattern\":\"^(?=a)b\"},true]}",
        "{\"items\":{\"contains\":{\"pattern\":\"^(?=a)b\"},\"maxContains\":0}}",
        "{\"patternProperties\":{\"^(?=a)b\":false}}"
      })
  void aToolsSchemaThatRefusesWhatMatchesIsLeftToTheTool(String property) {
    String schema = "{\"properties\":{\"s\":%s}}".formatted(property);

    assertThat(taskSchemas.checks().read(schema, SchemaDraft.DRAFT_2020_12))
        .isEqualTo(new SchemaReading.Unusable(SchemaCompiler.PATTERNS));
  }

  @Test
  void aLongPatternIsRefused() {
    assertThat(unusable(withPattern("a".repeat(1_001)))).containsExactly(SchemaCompiler.PATTERNS);
    assertThat(check(withPattern("a".repeat(1_000)), text("a".repeat(1_000)))).isEmpty();
  }

  @Test
  void aLargePatternOnLongTextTakesTooManySteps() {
    assertThat(check(withPattern("^(.?){900}$"), text("x".repeat(100_000))))
        .extracting(Problem::reason)
        .containsExactly(SchemaCompiler.TOO_MANY_STEPS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "^\\\\u00e9\\\\u{e9}$|éé",
        "^\\\\/\\\\-\\\\.$|/-.",
        "^(?<year>[0-9]{4})$|2024",
        "b|abc",
        "^[a-z]{1,63}(\\\\.[a-z]{1,63}){0,8}$|ab.cd",
        "^\\\\p{L}+$|zoë"
      })
  void patternsAreReadAsEcmaScriptWritesThem(String pattern, String matching) {
    assertThat(check(withPattern(pattern), text(matching))).isEmpty();
    assertThat(check(withPattern(pattern), text("?"))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"$ref\":\"#\"}", "{\"allOf\":[{\"$ref\":\"#\"},{\"$ref\":\"#\"}]}"})
  void anEndlessSchemaIsBlamedOnTheSchema(String schema) {
    assertThat(taskSchemas.checks().ofTask(schema, "{}", false))
        .containsExactly(
            new Problem("schemas.input_schema", SchemaCompiler.CIRCLE, null, null, List.of()));
  }

  @Test
  void referencesThatMultiplyTakeTooManySteps() {
    String definitions =
        IntStream.range(0, 60)
            .mapToObj(i ->
                "\"d%d\":{\"allOf\":[{\"$ref\":\"#/definitions/d%d\"},{\"$ref\":\"#/definitions/d%d\"}]}"
                    .formatted(i, i + 1, i + 1))
            .collect(Collectors.joining(","));

    assertThat(
            check(
                "{\"$ref\":\"#/definitions/d0\",\"definitions\":{%s,\"d60\":{}}}"
                    .formatted(definitions),
                "{}"))
        .extracting(Problem::reason)
        .containsExactly(SchemaCompiler.TOO_MANY_STEPS);
  }

  @Test
  void itemsWhoseHashesCollideTakeTooManySteps() {
    List<String> colliding = List.of("");
    for (int i = 0; i < 14; i++) {
      colliding = colliding.stream().flatMap(it -> List.of(it + "Aa", it + "BB").stream()).toList();
    }
    String inputs = "{\"s\":[\"%s\"]}".formatted(String.join("\",\"", colliding));

    assertThat(check("{\"properties\":{\"s\":{\"uniqueItems\":true}}}", inputs))
        .extracting(Problem::reason)
        .containsExactly(SchemaCompiler.TOO_MANY_STEPS);
  }

  @Test
  void aSchemaIsNestedNoDeeperThanTheLimit() {
    assertThat(check("{\"not\":".repeat(63) + "{}" + "}".repeat(63), "{}")).hasSizeLessThan(2);
    assertThat(unusable("{\"not\":".repeat(64) + "{}" + "}".repeat(64)))
        .containsExactly(SchemaCompiler.NOT_COMPUTABLE);
    assertThat(unusable("{\"not\":".repeat(8_000) + "{}" + "}".repeat(8_000)))
        .containsExactly(SchemaCompiler.NOT_COMPUTABLE);
  }

  @Test
  void aSchemaIsNoLargerThanTheLimit() {
    assertThat(check("{\"title\":\"%s\"}".formatted("é".repeat(32_762)), "{}")).isEmpty();
    assertThat(unusable("{\"title\":\"%s\"}".formatted("é".repeat(32_763))))
        .containsExactly("Larger than 65536 bytes");
  }

  @Test
  void aNumberIsNeverWrittenOut() {
    assertThat(check("{\"properties\":{\"s\":{\"enum\":[1]}}}", "{\"s\":1e999999999}"))
        .extracting(Problem::reason)
        .containsExactly(SchemaCompiler.NOT_COMPUTABLE);
    assertThat(unusable("{\"multipleOf\":1e-999999999}"))
        .containsExactly(SchemaCompiler.NOT_COMPUTABLE);
  }

  @Test
  void formatsAreNotAsserted() {
    assertThat(check("{\"properties\":{\"s\":{\"format\":\"date-time\"}}}", text("soon")))
        .isEmpty();
  }

  @Test
  void theChecksOfOneRequestShareTheirSteps() {
    SchemaSteps steps = new SchemaSteps(100);
    CompiledSchema schema = usable("{\"properties\":{\"n\":{\"type\":\"integer\"}}}");

    List<String> reasons =
        IntStream.range(0, 100)
            .mapToObj(_ -> schema.check("{\"n\":1}", steps))
            .flatMap(List::stream)
            .map(Problem::reason)
            .distinct()
            .toList();
    assertThat(reasons).containsExactly(SchemaCompiler.TOO_MANY_STEPS);
  }

  @Test
  void theCacheKeepsWhatWasUsedLast() {
    SchemaCache cache = new SchemaCache(50);
    String one = "{\"title\":\"one\"}";
    SchemaReading first = read(cache, one);
    IntStream.range(0, 20)
        .forEach(i -> {
          read(cache, "{\"title\":\"number %d\"}".formatted(i));
          assertThat(read(cache, one)).isSameAs(first);
        });

    assertThat(cache.size()).isEqualTo(2);
  }

  @Test
  void theCacheDoesNotKeepWhatIsLargerThanItself() {
    SchemaCache cache = new SchemaCache(10);
    read(cache, "{\"title\":\"one\"}");

    assertThat(cache.size()).isZero();
  }

  private static SchemaReading read(SchemaCache cache, String schema) {
    return cache.read(
        schema,
        SchemaDraft.DRAFT_7,
        SchemaLimits.of(GatewayLimits.DEFAULT),
        new SchemaSteps(100_000));
  }

  private static String withPattern(String pattern) {
    return "{\"properties\":{\"s\":{\"pattern\":\"%s\"}}}".formatted(pattern);
  }

  private static String text(String text) {
    return "{\"s\":\"%s\"}".formatted(text);
  }

  private List<Problem> check(String schema, String inputs) {
    return check(schema, SchemaDraft.DRAFT_7, inputs);
  }

  private List<Problem> check(String schema, SchemaDraft draft, String inputs) {
    TaskSchemas.Checks checks = taskSchemas.checks();
    return checks.read(schema, draft) instanceof SchemaReading.Usable(var usable)
        ? checks.check(usable, inputs)
        : List.of(new Problem("unusable", null, null, null, List.of()));
  }

  private CompiledSchema usable(String schema) {
    return taskSchemas.checks().read(schema, SchemaDraft.DRAFT_7)
            instanceof SchemaReading.Usable(var usable)
        ? usable
        : org.junit.jupiter.api.Assertions.fail("unusable");
  }

  private List<String> unusable(String schema) {
    return taskSchemas.checks().read(schema, SchemaDraft.DRAFT_7)
            instanceof SchemaReading.Unusable(var reasons)
        ? reasons
        : List.of();
  }
}

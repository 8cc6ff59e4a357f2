package gatebook.command.rules.file;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.policy.CedarPolicies;
import gatebook.command.rules.AllowedAddress;
import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.CallerTerms;
import gatebook.command.rules.ClientTlsFiles;
import gatebook.command.rules.Credential;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Glob;
import gatebook.command.rules.Governance;
import gatebook.command.rules.Governance.Rule;
import gatebook.command.rules.KnownOperator;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.command.rules.KnownPrincipal;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Principals;
import gatebook.command.rules.RecordRules;
import gatebook.command.rules.RedactionRules;
import gatebook.command.rules.Rules;
import gatebook.command.rules.SignOn;
import gatebook.command.rules.Source;
import gatebook.command.rules.Source.ForeignErrors;
import gatebook.command.rules.Source.Kind;
import gatebook.command.rules.SourceProgram;
import gatebook.command.rules.TokenIssuer;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.events.ApprovalRequested.OnTimeout;
import gatebook.events.RulesActivated.PolicyText;
import gatebook.events.RulesRejected.Mistake;
import gatebook.events.call.Action;
import gatebook.events.call.Bytes;
import gatebook.events.call.Exposure;
import gatebook.events.call.Principal;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RulesFileTest {

  private static final String HASH_A = "a".repeat(64);
  private static final String HASH_B = "b".repeat(64);

  @Test
  void issuersOfTokensHaveDefaults() {
    Rules rules =
        GivenRules.rules(
                GivenRules.MINIMAL
                    + """
                    sign_on:
                      - name: corp
                        issuer: "https://login.example"
                        audience: gate
                        tls: {ca: /etc/gatebook/ca.pem}
                        callers: {}
                      - name: local
                        issuer: "http://127.0.0.1:8080"
                        audience: [gate, "https://gate.example/mcp"]
                        keys: "http://[::1]:8080/keys"
                        algorithms: [PS512]
                        principal: email
                        groups: realm.roles
                        callers:
                          groups: [agents]
                          scopes: [mcp]
                          roles: {agents: [writer, reader]}
                          attributes: {team: department}
                        operators: {admins: [view, admin]}
                    """)
            .rules();

    assertThat(rules.principals().signOn())
        .isEqualTo(
            new SignOn(
                List.of(
                    new TokenIssuer(
                        "corp",
                        "https://login.example",
                        Set.of("gate"),
                        Optional.empty(),
                        new ClientTlsFiles(
                            Optional.of(Path.of("/etc/gatebook/ca.pem")),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty()),
                        Set.of("RS256", "PS256", "ES256"),
                        "sub",
                        "groups",
                        Optional.of(new CallerTerms(Set.of(), Set.of(), Map.of(), Map.of())),
                        Map.of(),
                        Optional.empty()),
                    new TokenIssuer(
                        "local",
                        "http://127.0.0.1:8080",
                        Set.of("gate", "https://gate.example/mcp"),
                        Optional.of(URI.create("http://[::1]:8080/keys")),
                        ClientTlsFiles.NONE,
                        Set.of("PS512"),
                        "email",
                        "realm.roles",
                        Optional.of(
                            new CallerTerms(
                                Set.of("agents"),
                                Set.of("mcp"),
                                Map.of("agents", List.of("writer", "reader")),
                                Map.of("team", "department"))),
                        Map.of("admins", Set.of(Role.VIEW, Role.ADMIN)),
                        Optional.empty()))));
    assertThat(rules.principals().isEmpty()).isFalse();
  }

  @Test
  void minimalRulesHaveAllDefaults() {
    Rules rules = GivenRules.rules(GivenRules.MINIMAL).rules();

    assertThat(rules)
        .isEqualTo(
            new Rules(
                rules.hash(),
                List.of(
                    new Source(
                        "demo",
                        Kind.DEMO,
                        null,
                        "",
                        true,
                        ExposeRules.ALL,
                        Map.of(),
                        ForeignErrors.PASS,
                        5_000,
                        30_000)),
                new Governance(Action.DENY, List.of()),
                Map.of(),
                CedarPolicies.NONE,
                List.of(),
                Principals.NONE,
                List.of(),
                List.of(),
                RedactionRules.DEFAULT,
                RecordRules.DEFAULT,
                GatewayLimits.DEFAULT));
  }

  @Test
  void allowedAddressesAreRead() {
    Rules rules =
        GivenRules.rules(
                GivenRules.MINIMAL
                    + """
                    webhooks:
                      allow:
                        - https://Hooks.Example.com
                        - HTTP://*.example.com:8080/ci/
                        - "http://[::1]:9000/"
                    """)
            .rules();

    assertThat(rules.webhooks())
        .containsExactly(
            new AllowedAddress("https", "hooks.example.com", 443, ""),
            new AllowedAddress("http", "*.example.com", 8080, "/ci/"),
            new AllowedAddress("http", "[::1]", 9000, ""));
  }

  @Test
  void everySectionIsRead() {
    GivenRules givenRules =
        GivenRules.rules(
                """
                schema: 1
                sources:
                  - id: one
                    kind: mcp
                    url: https://one.example/mcp?key=k
                    prefix: one_
                    enabled: false
                    description: the first
                    expose: {mode: allowlist, tools: ["read_*", time]}
                    headers: {Authorization: "Bearer ${TOKEN}"}
                    errors: wrap
                    connect_timeout: 250ms
                    timeout: 1m 30s
                  - {id: two, kind: jsonrpc, url: "http://[::1]:9000"}
                  - {id: three, kind: demo, expose: {mode: blocklist, tools: [process]}}
                governance:
                  defaults: {action: approve}
                  rules:
                    - {match: "a*", action: forward, source: one, description: x}
                    - {match: "b*", action: deny, source: [one, two], public: true}
                    - {match: "c*", action: approve}
                    - {match: "d*", action: policy, policy_id: big, approval: team}
                approval:
                  team:
                    destination: {type: operator}
                    timeout: PT1H
                    on_timeout: approve
                    blocking_timeout: 5s
                    redact_fields: [card.number]
                cedar: {policies: [a.cedar], schema: a.cedarschema}
                principals:
                  - {name: joe, token_hash: "sha256:%s", roles: [dev], attributes: {team: blue}}
                operators:
                  - {name: ann, token_hash: %s, roles: [view, approve]}
                inspect: [secrets]
                redact: {fields: [iban], identities: true, environment: [TOKEN]}
                record: {originals: none, results: redacted, whole_bytes_max: 4096}
                limits: {depth_max: 64, answer_millis_max: 20_000}
                journal: {durability: process}
                """
                    .formatted(HASH_A, HASH_B))
            .variable("TOKEN", "t0ken")
            .file("a.cedar", "permit(principal, action, resource);")
            .file("a.cedarschema", "entity A; action b appliesTo {principal: A, resource: A};");

    Rules rules = givenRules.rules();

    assertThat(givenRules.warnings()).isEmpty();
    assertThat(rules.sources())
        .containsExactly(
            new Source(
                "one",
                Kind.MCP,
                URI.create("https://one.example/mcp?key=k"),
                "one_",
                false,
                new ExposeRules(Exposure.ALLOWLIST, List.of(new Glob("read_*"), new Glob("time"))),
                Map.of("Authorization", "Bearer t0ken"),
                ForeignErrors.WRAP,
                250,
                90_000),
            new Source(
                "two",
                Kind.JSONRPC,
                URI.create("http://[::1]:9000"),
                "",
                true,
                ExposeRules.ALL,
                Map.of(),
                ForeignErrors.WRAP,
                5_000,
                20_000),
            new Source(
                "three",
                Kind.DEMO,
                null,
                "",
                true,
                new ExposeRules(Exposure.BLOCKLIST, List.of(new Glob("process"))),
                Map.of(),
                ForeignErrors.PASS,
                5_000,
                20_000));
    assertThat(rules.governance())
        .isEqualTo(
            new Governance(
                Action.APPROVE,
                List.of(
                    new Rule(1, new Glob("a*"), Action.FORWARD, Set.of("one"), null, null, false),
                    new Rule(
                        2, new Glob("b*"), Action.DENY, Set.of("one", "two"), null, null, true),
                    new Rule(3, new Glob("c*"), Action.APPROVE, Set.of(), null, "team", false),
                    new Rule(4, new Glob("d*"), Action.POLICY, Set.of(), "big", "team", false))));
    assertThat(rules.workflows())
        .isEqualTo(
            Map.of(
                "team",
                new ApprovalWorkflow(
                    "team",
                    "operator",
                    3_600_000,
                    5_000,
                    OnTimeout.APPROVE,
                    List.of("card.number"))));
    assertThat(rules.principals().all())
        .containsExactly(
            new KnownPrincipal(
                bytes(HASH_A), new Principal("joe", List.of("dev"), Map.of("team", "blue"))));
    assertThat(rules.operators())
        .containsExactly(new KnownOperator("ann", bytes(HASH_B), Set.of(Role.VIEW, Role.APPROVE)));
    assertThat(rules.inspectors()).containsExactly("secrets");
    assertThat(rules.redaction())
        .isEqualTo(new RedactionRules(List.of("iban"), true, List.of("TOKEN")));
    assertThat(rules.recording()).isEqualTo(new RecordRules(false, true, 4_096));
    assertThat(rules.limits())
        .isEqualTo(
            GatewayLimits.DEFAULT.with(Limit.DEPTH_MAX, 64).with(Limit.ANSWER_MILLIS_MAX, 20_000));
  }

  @ParameterizedTest
  @CsvSource({"'', 30000, 300000", "'timeout: 90s', 90000, 90000"})
  void aMessageToAnAgentMayTakeLonger(String member, long answerMillis, long messageMillis) {
    Rules rules =
        GivenRules.rules(
                """
                schema: 1
                sources: [{id: planner, kind: a2a, url: "http://a", %s}]
                governance: {defaults: {action: forward}}
                """
                    .formatted(member))
            .rules();

    assertThat(rules.sources())
        .containsExactly(
            new Source(
                "planner",
                Kind.A2A,
                URI.create("http://a"),
                null,
                "planner/",
                true,
                ExposeRules.ALL,
                List.of(),
                Map.of(),
                ClientTlsFiles.NONE,
                ForeignErrors.WRAP,
                5_000,
                answerMillis,
                messageMillis));
  }

  @Test
  void aSourceHasTlsOfItsOwn() {
    Rules rules =
        GivenRules.rules(
                """
                schema: 1
                sources:
                  - id: tools
                    kind: mcp
                    url: https://tools.example/mcp
                    tls: {ca: /tls/ca.pem, cert: /tls/tls.crt, key: /tls/tls.key, password: "${SECRET}"}
                governance: {defaults: {action: deny}}
                """)
            .variable("SECRET", "s3cret")
            .rules();

    assertThat(rules.sources().getFirst().tls())
        .isEqualTo(
            new ClientTlsFiles(
                Optional.of(Path.of("/tls/ca.pem")),
                Optional.of(Path.of("/tls/tls.crt")),
                Optional.of(Path.of("/tls/tls.key")),
                Optional.of("s3cret")));
    assertThat(rules.configuredSecrets()).contains("s3cret");
  }

  @Test
  void anOperatorMayBeKnownByItsCertificate() {
    Rules rules =
        GivenRules.rules(
                """
                schema: 1
                sources: [{id: demo, kind: demo}]
                governance: {defaults: {action: deny}}
                operators:
                  - {name: ann, certificate: "CN=ann,O=Example", roles: [view]}
                """)
            .rules();

    assertThat(rules.operators())
        .containsExactly(
            new KnownOperator(
                "ann",
                Set.of(Credential.Certificate.of(new X500Principal("CN=ann, O=Example"))),
                Set.of(Role.VIEW)));
  }

  @Test
  void aProgramIsReadWithItsDefaults() {
    GivenRules givenRules =
        GivenRules.rules(
                """
                schema: 1
                sources:
                  - id: files
                    kind: mcp
                    command: [npx, "-y", "${PACKAGE}", ""]
                    environment: {TOKEN: "${TOKEN}", EMPTY: ""}
                    directory: /srv/files
                    timeout: 1s
                governance: {defaults: {action: deny}}
                """)
            .variable("PACKAGE", "a package")
            .variable("TOKEN", "t0ken");

    assertThat(givenRules.rules().sources())
        .containsExactly(
            new Source(
                "files",
                Kind.MCP,
                null,
                new SourceProgram(
                    List.of("npx", "-y", "a package", ""),
                    Map.of("TOKEN", "t0ken", "EMPTY", ""),
                    Path.of("/srv/files")),
                "",
                true,
                ExposeRules.ALL,
                List.of(),
                Map.of(),
                ForeignErrors.PASS,
                60_000,
                1_000));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = ';',
      value = {
        "cat; cat",
        "'my server' --name=\"a b\" -x; my server|--name=a b|-x",
        "'' a''b $HOME *; |ab|$HOME|*",
      })
  void aCommandMayBeOneLine(String line, String words) {
    String rules =
        """
        schema: 1
        sources:
          - id: a
            kind: mcp
            command: >-
              %s
        governance: {defaults: {action: deny}}
        """
            .formatted(line);

    SourceProgram sourceProgram = GivenRules.rules(rules).rules().sources().getFirst().program();

    assertThat(sourceProgram)
        .isEqualTo(new SourceProgram(List.of(words.split("[|]", -1)), Map.of(), null));
  }

  @Test
  void secretsOfProgramsAreNotRecorded() {
    GivenRules givenRules =
        GivenRules.rules(
                """
                schema: 1
                sources:
                  - id: a
                    kind: mcp
                    command: [server, "${SECRET}", --api-key=Zq8hN2vXw4Lr9TbKc7Yd, --verbose]
                    environment: {A: plain, B: "${SECRET}"}
                  - id: b
                    kind: mcp
                    prefix: b
                    command: server --token ${SECRET}
                governance: {defaults: {action: deny}}
                """)
            .variable("SECRET", "hunter2");

    assertThat(givenRules.valid().texts().rules())
        .isEqualTo(
            """
            schema: 1
            sources:
              - id: a
                kind: mcp
                command: [server, "[REDACTED]", "[REDACTED]", --verbose]
                environment: {A: "[REDACTED]", B: "[REDACTED]"}
              - id: b
                kind: mcp
                prefix: b
                command: "[REDACTED]"
            governance: {defaults: {action: deny}}
            """);
    assertThat(RulesFile.readRecorded(givenRules.valid().texts(), Set.of()))
        .isInstanceOf(RulesFile.Reading.Valid.class);
  }

  @ParameterizedTest
  @CsvSource({
    "'',                               600000, 300000",
    "'timeout: 20m',                  1200000, 1200000",
    "'blocking_timeout: 7s',           600000, 7000",
    "'timeout: 5s',                      5000, 5000",
    "'timeout: 7d',                 604800000, 604800000",
    "'timeout: 1h 30m, blocking_timeout: PT1M30S', 5400000, 90000",
    "'timeout: P1D',                 86400000, 86400000",
    "'timeout: 1week',              604800000, 604800000",
    "'timeout: 90min',                5400000, 5400000",
  })
  void aWorkflowHasTheConfiguredTimeouts(String keys, long timeoutMillis, long blockingMillis) {
    Rules rules =
        GivenRules.rules(GivenRules.MINIMAL + "approval: {a: {%s}}".formatted(keys)).rules();

    assertThat(rules.workflows())
        .isEqualTo(
            Map.of(
                "a",
                new ApprovalWorkflow(
                    "a", "operator", timeoutMillis, blockingMillis, OnTimeout.DENY, List.of())));
  }

  @ParameterizedTest
  @EnumSource
  void aLimitCanBeSetWithinItsBounds(Limit limit) {
    assertThat(limited(limit, limit.lowest()).rules().limits().get(limit))
        .isEqualTo(limit.lowest());
    assertThat(limited(limit, limit.highest()).rules().limits().get(limit))
        .isEqualTo(limit.highest());
    assertThat(limited(limit, limit.lowest() - 1).mistakes()).hasSize(1);
    assertThat(limited(limit, limit.highest() + 1).mistakes()).hasSize(1);
  }

  private static GivenRules limited(Limit limit, long number) {
    String whole = limit.whole().map(it -> ", %s: %d".formatted(it.key(), it.highest())).orElse("");
    String few = limit == Limit.HELD_MAX ? ", held_per_principal_max: 1" : "";
    return GivenRules.rules(
        GivenRules.MINIMAL + "limits: {%s: %d%s%s}\n".formatted(limit.key(), number, whole, few));
  }

  @Test
  void probableMistakesAreWarnings() {
    GivenRules givenRules =
        GivenRules.rules(
                """
                schema: 1
                sources: [{id: demo, kind: demo}]
                governance:
                  defaults: {action: policy}
                  rules:
                    - {match: a, action: policy, policy_id: p}
                    - {match: b, action: policy, policy_id: p, approval: boss}
                    - {match: c, action: deny, policy_id: p, approval: boss}
                    - {match: d, action: approve, policy_id: p}
                approval: {boss: {destination: {type: slack, channel: "#a"}}}
                cedar: {policies: [a.cedar]}
                telemetry: {enabled: true, otlp: {endpoint: "http://h/", headers: {A: b}}}
                """)
            .file("a.cedar", "permit(principal, action, resource);");

    assertThat(givenRules.mistakes()).isEmpty();
    assertThat(givenRules.warnings())
        .containsExactly(
            "4:22 'action' forwards what a policy permits and no person is asked: name an"
                + " 'approval' to have one asked, as ThoughtGate always does",
            "6:26 'action' forwards what a policy permits and no person is asked: name an"
                + " 'approval' to have one asked, as ThoughtGate always does",
            "8:43 'policy_id' is of no use without action: policy",
            "8:56 'approval' is of no use without action: approve or policy",
            "9:46 'policy_id' is of no use without action: policy",
            "10:39 'type' slack is not supported yet: operators decide, with approvals.*",
            "12:12 'telemetry' has no effect here: metrics are at /metrics of the admin port");
  }

  @ParameterizedTest
  @CsvSource({"SendMessage, true", "Send*, false", "'*', false"})
  void rulesOnSkillsSayWhichMessagesPassThem(String closing, boolean isPassed) {
    List<String> warnings =
        GivenRules.rules(
                """
                schema: 1
                sources: [{id: planner, kind: a2a, url: "http://h/"}, {id: demo, kind: demo}]
                governance:
                  defaults: {action: forward}
                  rules:
                    - {match: "skills/free", action: forward}
                    - {match: "skills/route", action: deny}
                    - {match: "skills/route", action: deny, source: demo}
                    - {match: "%s", action: deny}
                """
                    .formatted(closing))
            .warnings();

    assertThat(warnings)
        .filteredOn(warning -> warning.contains("that name no skill"))
        .isEqualTo(
            isPassed
                ? List.of(
                    "7:15 'match' is passed by messages to planner that name no skill:"
                        + " {match: \"Send*Message\", action: deny} closes that, for every message")
                : List.of());
  }

  private static final String HIDDEN =
      "a source shows callers no tool whose name begins with the prefix in line %s: give it a"
          + " prefix with which no other begins, or an allowlist";

  @Test
  void aPrefixThatHidesAnotherSourcesToolsIsAWarning() {
    assertThat(
            GivenRules.rules(
                    """
                    schema: 1
                    sources:
                      - {id: hub, kind: demo, prefix: git_hub_, enabled: false}
                      - {id: git, kind: demo, prefix: git_}
                      - {id: rest, kind: demo, expose: {mode: allowlist, tools: ["gi?_l*"]}}
                      - {id: lab, kind: demo, prefix: git_lab_, expose: {mode: blocklist, tools: []}}
                      - {id: rpc, kind: jsonrpc, url: "http://h/", prefix: git_lab_x}
                    governance: {defaults: {action: deny}}
                    """)
                .warnings())
        .containsExactly("4:5 " + HIDDEN.formatted("6"), "5:5 " + HIDDEN.formatted("4 or 6"));
  }

  @Test
  void denyRulesThatStandAloneAreAWarning() {
    String words =
        "'action' forwards whatever no rule denies, so that only deny rules stand between callers"
            + " and a tool: let rules or an allowlist name what may be called";

    assertThat(
            GivenRules.rules(
                    """
                    schema: 1
                    sources:
                      - {id: a, kind: demo}
                      - {id: b, kind: demo, prefix: b_}
                      - {id: c, kind: demo, prefix: c_}
                      - {id: listed, kind: demo, prefix: l_, expose: {mode: allowlist, tools: [x]}}
                    governance:
                      defaults: {action: forward}
                      rules:
                        - {match: "drop*", action: deny, source: [a, b, listed]}
                        - {match: "**", action: forward, source: b}
                        - {match: "drop*", action: deny, source: c}
                        - {match: "*", action: deny, source: c}
                    """)
                .warnings())
        .filteredOn(it -> it.endsWith(words))
        .containsExactly("8:22 " + words, "11:29 " + words);
  }

  @Test
  void missingPoliciesAreAWarning() {
    assertThat(
            GivenRules.rules(
                    """
                    schema: 1
                    sources: [{id: demo, kind: demo}]
                    governance: {defaults: {action: policy}}
                    """)
                .warnings())
        .containsExactly(
            "3:33 'action' asks policies and there are none, so that all it matches is denied:"
                + " name them in 'cedar'");
  }

  @Test
  void aDisabledSourceOffersNoNames() {
    assertThat(
            GivenRules.rules(
                    """
                    schema: 1
                    sources: [{id: a, kind: demo}, {id: b, kind: demo, enabled: false}]
                    governance: {defaults: {action: deny}}
                    """)
                .mistakes())
        .isEmpty();
  }

  @Test
  void yaml11BooleansAreTexts() {
    assertThat(
            GivenRules.rules(
                    """
                    schema: 1
                    sources: [{id: a, kind: demo, expose: {mode: allowlist, tools: [on, no, y]}}]
                    governance: {defaults: {action: deny}}
                    """)
                .rules()
                .sources()
                .getFirst()
                .expose()
                .patterns())
        .containsExactly(new Glob("on"), new Glob("no"), new Glob("y"));
  }

  @Test
  void nullMeansAbsent() {
    assertThat(GivenRules.rules(GivenRules.MINIMAL + "redact: null\nlimits: ~\n").mistakes())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"${A}, one", "${B:-two}, two", "${A:-two}, one", "x-${A}-y, x-one-y", "$A, $A"})
  void aVariableSuppliesATextOrPartOfIt(String written, String field) {
    assertThat(fields(written, "one")).isEqualTo(List.of(field));
  }

  @Test
  void valuesAreNotSubstitutedAgain() {
    assertThat(fields("\"${A}\"", "${B}")).containsExactly("${B}");
  }

  private static List<String> fields(String written, String value) {
    return GivenRules.rules(GivenRules.MINIMAL + "redact: \n  fields:\n    - " + written)
        .variable("A", value)
        .rules()
        .redaction()
        .fields();
  }

  @Test
  void variablesInCommentLinesAreIgnored() {
    assertThat(GivenRules.rules(GivenRules.MINIMAL + "  # ${UNSET} ${\n").mistakes()).isEmpty();
  }

  @Test
  void columnsAreThoseOfTheOriginalFile() {
    assertThat(
            GivenRules.rules("😀: ${A} # ${A}\r\nb: [${A}, ${B:-x}, {c: ${A}}\r\n")
                .variable("A", "v".repeat(100))
                .mistakes())
        .containsExactly("3:1 this is no YAML: expected ',' or ']', but got <stream end>");
    assertThat(
            GivenRules.rules(
                    GivenRules.MINIMAL + "redact: {fields: [${A}, 😀${A}, 7], \"😀${A}\": 7}\r\n")
                .variable("A", "v".repeat(100))
                .mistakes())
        .containsExactly(
            "4:32 an item of 'fields' must be text: put quotes around it",
            "4:36 this is no key of 'redact': write fields, identities or environment");
  }

  @Test
  void aSecretInPlaceOfAKeyIsNotRepeated() {
    assertThat(
            GivenRules.rules(
                    GivenRules.MINIMAL + "redact: {ghp_16C7e42F292c6912E7710c838347Ae178B4a: 7}")
                .mistakes())
        .containsExactly(
            "4:10 this is no key of 'redact': write fields, identities or environment");
  }

  @Test
  void recordedTextsMaskSecrets() {
    GivenRules givenRules =
        GivenRules.rules(
                """
                schema: 1 # of ${STAGE}, with ${SECRET}
                sources:
                  - id: one
                    kind: mcp
                    url: 'http://h/${STAGE}?key=${SECRET}' # here
                    headers:
                      A: &a ${SECRET}
                      B: *a
                      C: >-
                        hunter2
                        again
                      D: "hunter2\\x20${SECRET}"
                  - {id: two, kind: jsonrpc, url: "http://h/\\x3fkey=hunter2"}
                  - {id: three, kind: demo, prefix: p, description: 'it''s ${STAGE}'}
                governance: {defaults: {action: deny}}
                principals: [{name: joe, token_hash: %s}]
                operators:
                - name: ann
                  token_hash: sha256:%s
                  roles: [view]
                cedar: {policies: [a.cedar, b.cedar], schema: c}
                telemetry: {otlp: {endpoint: 'http://h?hunter2', headers: {A: hunter2}}}
                """
                    .formatted(HASH_A, HASH_B))
            .variable("STAGE", "test")
            .variable("SECRET", "hunter2")
            .file("a.cedar", "// a")
            .file("b.cedar", "// b")
            .file("c", "// c");

    RulesTexts rulesTexts = givenRules.valid().texts();

    assertThat(rulesTexts)
        .isEqualTo(
            new RulesTexts(
                givenRules.rules().hash(),
                """
                schema: 1 # of ${STAGE}, with ${SECRET}
                sources:
                  - id: one
                    kind: mcp
                    url: 'http://h/test?REDACTED' # here
                    headers:
                      A: &a "[REDACTED]"
                      B: *a
                      C: "[REDACTED]"
                      D: "[REDACTED]"
                  - {id: two, kind: jsonrpc, url: "[REDACTED]"}
                  - {id: three, kind: demo, prefix: p, description: 'it''s test'}
                governance: {defaults: {action: deny}}
                principals: [{name: joe, token_hash: "[REDACTED]"}]
                operators:
                - name: ann
                  token_hash: "[REDACTED]"
                  roles: [view]
                cedar: {policies: [a.cedar, b.cedar], schema: c}
                telemetry: {otlp: {endpoint: 'http://h?REDACTED', headers: {A: "[REDACTED]"}}}
                """,
                List.of(new PolicyText("a.cedar", "// a"), new PolicyText("b.cedar", "// b")),
                "// c"));
  }

  @Test
  void theHashIsOverEveryTextWithItsSecrets() {
    String rules = GivenRules.MINIMAL + "cedar: {policies: [a, b], schema: c} # ${S}\n";
    String hash = hash(rules, "a", "b", "c", "s");

    assertThat(hash).matches("sha256:[0-9a-f]{64}").isEqualTo(hash(rules, "a", "b", "c", "s"));
    assertThat(
            Set.of(
                hash,
                hash(rules + " ", "a", "b", "c", "s"),
                hash(rules, "ab", "", "c", "s"),
                hash(rules, "a", "b", "", "s"),
                hash(rules, "a", "b", "c", "t")))
        .hasSize(5);
  }

  private static String hash(String rules, String a, String b, String schema, String secret) {
    return GivenRules.rules(rules)
        .file("a", "//" + a)
        .file("b", "//" + b)
        .file("c", "//" + schema)
        .variable("S", secret)
        .rules()
        .hash();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\n",
        "redact: &a {fields: [*a, *a]}\n",
        "redact: {fields: &a [*a]}\n"
      })
  void nestedAliasesGiveFewMistakes(String text) {
    assertThat(GivenRules.rules(GivenRules.MINIMAL + text).mistakes())
        .isNotEmpty()
        .hasSizeLessThan(5);
  }

  @Test
  void tooManyAliasesOrLevelsAreOneMistake() {
    String sentence =
        "1:1 this file has more than 50 levels, or more than 50 aliases of lists and mappings:"
            + " write them out";

    assertThat(GivenRules.rules("a: &a []\nb: [" + "*a,".repeat(51) + "]").mistakes())
        .containsExactly(sentence);
    assertThat(GivenRules.rules("[".repeat(1_000)).mistakes()).containsExactly(sentence);
  }

  @Test
  void aFileMayHaveOneMebibyte() {
    String comment = "# " + "x".repeat((1 << 20) - GivenRules.MINIMAL.length() - 3) + "\n";

    assertThat(GivenRules.rules(GivenRules.MINIMAL + comment).mistakes()).isEmpty();
    assertThat(GivenRules.rules(GivenRules.MINIMAL + comment + "\n").mistakes())
        .containsExactly("the file is larger than 1048576 bytes: split it");
  }

  @Test
  void aValueHasAtMost65536Characters() {
    String rules = GivenRules.MINIMAL + "redact: {fields: ['${A}']}";

    assertThat(GivenRules.rules(rules).variable("A", "x".repeat(1 << 16)).mistakes()).isEmpty();
    assertThat(GivenRules.rules(rules).variable("A", "x".repeat((1 << 16) + 1)).mistakes())
        .containsExactly(
            "4:20 the value of A has more than 65536 characters: give it a shorter one");
  }

  @Test
  void valuesMayAtMostDoubleTheFileSize() {
    assertThat(manyLongValues(31).mistakes()).isEmpty();
    assertThat(manyLongValues(32).mistakes())
        .containsExactly("4:237 with the value of A this file is too large: give it a shorter one");
  }

  private static GivenRules manyLongValues(int count) {
    return GivenRules.rules(
            GivenRules.MINIMAL + "redact: {fields: [%s]}".formatted("'${A}',".repeat(count)))
        .variable("A", "x".repeat(1 << 16));
  }

  @Test
  void aFileThatIsNotUtf8IsOneMistake() {
    assertThat(new GivenRules().file("rules.yaml", new byte[] {(byte) 0xff}).mistakes())
        .containsExactly("the file is not in UTF-8: save it as UTF-8");
  }

  @Test
  void aByteOrderMarkIsIgnored() {
    assertThat(GivenRules.rules("\uFEFF" + GivenRules.MINIMAL).rules().hash())
        .isEqualTo(GivenRules.rules(GivenRules.MINIMAL).rules().hash());
  }

  @Test
  void filesAreRelativeToTheFileThatNamesThem(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("rules.yaml");
    Files.createDirectory(directory.resolve("policies"));
    Files.writeString(file, GivenRules.MINIMAL + "cedar: {policies: [policies/a.cedar]}");
    RulesFile rules = RulesFile.at(file, Map.of(), Set.of());

    assertThat(rules.read())
        .isInstanceOfSatisfying(
            Reading.Broken.class,
            broken ->
                assertThat(broken.mistakes())
                    .containsExactly(
                        new Mistake(
                            file.toString(),
                            4,
                            20,
                            "an item of 'policies' names a file, beside this one, that cannot be"
                                + " read: check that it exists and is readable")));

    Files.writeString(directory.resolve("policies/a.cedar"), "// a");

    assertThat(rules.read())
        .isInstanceOfSatisfying(
            Reading.Valid.class,
            valid ->
                assertThat(valid.texts().policies())
                    .containsExactly(new PolicyText("policies/a.cedar", "// a")));
  }

  @Test
  void seenFilesAreStaleAfterAnyChange(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("rules.yaml");
    Path policies = directory.resolve("a.cedar");
    Files.writeString(file, GivenRules.MINIMAL + "cedar: {policies: [a.cedar]}");
    RulesFile rules = RulesFile.at(file, Map.of(), Set.of());

    SeenFiles without = rules.read().seen();
    assertThat(without.isStale()).isFalse();
    Files.writeString(policies, "permit(principal, action, resource);");
    assertThat(without.isStale()).isTrue();

    SeenFiles with = rules.read().seen();
    assertThat(with.isStale()).isFalse();
    Files.writeString(policies, "forbid(principal, action, resource);");
    assertThat(with.isStale()).isTrue();

    SeenFiles changed = rules.read().seen();
    Files.delete(file);
    assertThat(changed.isStale()).isTrue();
  }

  private static Bytes bytes(String hex) {
    return Bytes.of(HexFormat.of().parseHex(hex));
  }
}

package gatebook.api.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DenialsCommandTest {

  @AutoClose private final FakeOperatorServer server = new FakeOperatorServer();

  @Test
  void everyGateHasItsRow() {
    server.returns(
        "audit.denials",
        """
        {"position":9,"upToDate":true,"total":3,"more":false,"groups":[
          {"gate":"visibility","count":0},
          {"gate":"governance","count":2,"lastAt":"2026-01-02T03:04:05.000000006Z","lastCallId":"c1"},
          {"gate":"policy","count":1,"lastAt":"2026-01-02T03:04:06Z","lastCallId":"c2"},
          {"gate":"approval","count":0,"lastAt":null,"lastCallId":null}]}
        """);

    assertThat(server.run(new DenialsCommand()))
        .isEqualTo(
            new CommandRun(
                0,
                """
                gate        count  lastAt                lastCallId
                visibility  0      -                     -
                governance  2      2026-01-02T03:04:05Z  c1
                policy      1      2026-01-02T03:04:06Z  c2
                approval    0      -                     -

                total 3
                """,
                ""));
    assertThat(server.requests()).containsExactly("audit.denials {}");
  }

  @Test
  void optionsBecomeParams() {
    server.returns(
        "audit.denials",
        """
        {"groups":[],"upToDate":true}\
        """);

    server.run(
        new DenialsCommand(),
        "--since=2026-01-02T03:04:05+01:00",
        "--until=2026-01-03T00:00:00Z",
        "--as-of=2026-01-04T00:00:00Z",
        "--by=Tool,code,tool",
        "--limit=5");

    assertThat(server.requests())
        .containsExactly(
            """
            audit.denials {"since":"2026-01-02T02:04:05Z","until":"2026-01-03T00:00:00Z",\
            "asOf":"2026-01-04T00:00:00Z","by":["tool","code"],"limit":5}\
            """);
  }

  @Test
  void codesHaveTheirDialectAndNamesNoControlCharacters() {
    server.returns(
        "audit.denials",
        """
        {"position":9,"upToDate":false,"total":7,"more":true,"groups":[
          {"tool":"rm\\u001b[2J","code":-32014,"dialect":"mcp","count":7,"lastAt":"x","lastCallId":"c"}]}
        """);

    assertThat(server.run(new DenialsCommand(), "--by", "tool,code").out().lines())
        .containsExactly(
            "tool           dialect  code    count  lastAt  lastCallId",
            "rm⟨U+001B⟩[2J  mcp      -32014  7      x       c",
            "",
            "total 7",
            "and more: raise --limit, or shorten the period",
            "not up to date: the view has reached position 9, try again");
  }

  @Test
  void callsAreListedInPages() {
    server.returns(
        "audit.deniedCalls",
        """
        {"upToDate":true,"total":3,"cursor":"17000","calls":[
          {"at":"2026-01-02T03:04:05.000000006Z","gate":"governance","reason":"rule",
           "callId":"c1","correlationId":"order-1","dialect":"mcp","method":"tools/call",
           "target":"delete_file","principal":"ada","status":"denied","code":-32014}]}
        """);

    assertThat(
            server.run(
                new DenialsCommand(), "--calls", "--since=2026-01-02T03:04:05Z", "--cursor=9"))
        .isEqualTo(
            new CommandRun(
                0,
                """
                at                    callId  gate        reason  dialect  code    tool         principal  correlationId
                2026-01-02T03:04:05Z  c1      governance  rule    mcp      -32014  delete_file  ada        order-1
                and older ones: --cursor 17000
                """,
                ""));
    assertThat(server.requests())
        .containsExactly("audit.deniedCalls {\"since\":\"2026-01-02T03:04:05Z\",\"cursor\":\"9\"}");
  }

  @Test
  void observedCallsHaveBothVerdictsSideBySide() {
    server.returns(
        "audit.deniedCalls",
        """
        {"upToDate":true,"total":2,"calls":[
          {"at":"2026-01-02T03:04:05Z","callId":"c1","status":"answered","target":"pay",
           "principal":"ada","decided":{"gate":"governance","verdict":{"kind":"forward"},
           "action":"forward","rule":1,"tookMicros":3},
           "observed":{"rulesHash":"h","outcome":"would-deny","gate":"policy","rule":2,
           "policies":["strict"],"reason":"policy-forbids","target":"pay","principal":"ada"}},
          {"at":"2026-01-02T03:04:05Z","callId":"c2","status":"answered","target":"pay",
           "principal":"ada","decided":null,"observed":null}]}
        """);

    assertThat(server.run(new DenialsCommand(), "--calls", "--observed").out().lines())
        .containsExactly(
            "at                    callId  status    tool  principal  decided"
                + "                                       observed",
            "2026-01-02T03:04:05Z  c1      answered  pay   ada        governance: forward"
                + " (action forward, rule 1)  would-deny (gate policy, rule 2, policies strict,"
                + " reason policy-forbids)",
            "2026-01-02T03:04:05Z  c2      answered  pay   ada        -"
                + "                                             -");
    assertThat(server.requests()).containsExactly("audit.deniedCalls {\"observed\":true}");
  }

  @Test
  void noDenialsAreReported() {
    server.returns(
        "audit.denials",
        """
        {"groups":[],"total":0,"upToDate":true}\
        """);

    assertThat(server.run(new DenialsCommand(), "--by=tool"))
        .isEqualTo(new CommandRun(0, "no calls were denied\n", ""));
  }

  @Test
  void jsonOutputIsOneDocument() {
    server.returns(
        "audit.denials",
        """
        {"groups":[],"total":0,"upToDate":true}\
        """);

    assertThat(FakeOperatorServer.document(server.run(new DenialsCommand(), "--json")).toString())
        .isEqualTo(
            """
            {"groups":[],"total":0,"upToDate":true}\
            """);
  }

  @Test
  void errorsOfTheServerArePrinted() {
    server.returnsError("audit.denials", "limit must be a whole number from 1 to 1000");

    assertThat(server.run(new DenialsCommand(), "--limit=0"))
        .isEqualTo(new CommandRun(1, "", "limit must be a whole number from 1 to 1000\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--since=yesterday | Invalid value for option '--since': 'yesterday' is not a time as in"
            + " 2026-01-02T03:04:05Z, or how long ago as in 2h",
        "--by=colour | Invalid value for option '--by' (MEMBER): 'colour' is none of gate, tool,"
            + " principal, reason, code, minute, hour, day",
        "--cursor=9 | --cursor continues a list: give --calls, too",
        "--calls --by=tool | --by and --as-of count: leave them out, or --calls",
        "--limit=many | Invalid value for option '--limit': 'many' is not an int",
        "--as-of=2026 | Invalid value for option '--as-of': '2026' is not a time as in"
            + " 2026-01-02T03:04:05Z, or how long ago as in 2h"
      })
  void wrongUsageIsReportedWithoutARequest(String argument, String sentence) {
    CommandRun commandRun = server.run(new DenialsCommand(), argument.split(" "));

    assertThat(commandRun.err().lines().findFirst()).contains(sentence);
    assertThat(commandRun.code()).isEqualTo(2);
    assertThat(server.requests()).isEmpty();
  }
}

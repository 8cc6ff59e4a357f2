package gatebook.api.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.cli.text.Sparkline;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ErrorsCommandTest {

  @AutoClose private final FakeOperatorServer server = new FakeOperatorServer();

  @Test
  void eachKindOfErrorHasItsRowWithItsTrend() {
    server.returns(
        "audit.errors",
        """
        {"position":9,"upToDate":true,"since":"2026-01-01T00:00:00Z","until":"2026-01-02T12:00:00Z",
         "bucketSeconds":5400,"more":false,"groups":[
          {"fingerprint":"f","dialect":"mcp","code":-32002,"fault":"UpstreamError","gate":null,
           "target":"echo","count":9,"firstAt":"2026-01-01T00:00:01Z","lastAt":"2026-01-02T00:00:02.5Z",
           "lastCallId":"c1","trend":"rising","sparkline":[0,1,8]}]}
        """);

    assertThat(server.run(new ErrorsCommand(), "--since", "2026-01-01T00:00:00Z", "--limit", "3"))
        .isEqualTo(
            new CommandRun(
                0,
                """
                trend   count  sparkline  dialect  code    fault          gate  tool  firstAt               lastAt                lastCallId
                rising  9      ·▁█        mcp      -32002  UpstreamError  -     echo  2026-01-01T00:00:01Z  2026-01-02T00:00:02Z  c1

                from 2026-01-01T00:00:00Z until 2026-01-02T12:00:00Z, 1 h 30 min to each mark
                """,
                ""));
    assertThat(server.requests())
        .containsExactly(
            """
            audit.errors {"since":"2026-01-01T00:00:00Z","limit":3}\
            """);
  }

  @Test
  void ratesAreShownByTheirMembers() {
    server.returns(
        "audit.errors",
        """
        {"position":9,"upToDate":true,"since":"2026-01-01T00:00:00Z","until":"2026-01-02T12:00:00Z",
         "bucketSeconds":5400,"more":false,"groups":[
          {"agent":"planner","dialect":"a2a","code":-32603,"count":20,
           "firstAt":"2026-01-01T00:00:01Z","lastAt":"2026-01-02T00:00:02.5Z","lastCallId":"c1",
           "trend":"rising","lastHour":9,"dayBefore":11,"dayBeforeHours":24.0,
           "sparkline":[0,1,8]}]}
        """);

    assertThat(server.run(new ErrorsCommand(), "--by", "agent,skill", "--by", "Code"))
        .isEqualTo(
            new CommandRun(
                0,
                """
                trend   lastHour  dayBefore  dayBeforeHours  count  sparkline  agent    skill  dialect  code    firstAt               lastAt                lastCallId
                rising  9         11         24.0            20     ·▁█        planner  -      a2a      -32603  2026-01-01T00:00:01Z  2026-01-02T00:00:02Z  c1

                from 2026-01-01T00:00:00Z until 2026-01-02T12:00:00Z, 1 h 30 min to each mark
                """,
                ""));
    assertThat(server.requests())
        .containsExactly(
            """
            audit.errors {"by":["agent","skill","code"]}\
            """);
  }

  @Test
  void groupsOfHoursHaveNoRate() {
    server.returns(
        "audit.errors",
        """
        {"position":9,"upToDate":true,"since":"2026-01-01T00:00:00Z","until":"2026-01-02T12:00:00Z",
         "bucketSeconds":3600,"more":false,"groups":[
          {"fault":"UpstreamTimeout","hour":"2026-01-01T02:00:00Z","count":20,
           "firstAt":"2026-01-01T02:00:01Z","lastAt":"2026-01-01T02:30:00Z","lastCallId":"c1"}]}
        """);

    assertThat(server.run(new ErrorsCommand(), "--by", "fault,hour"))
        .isEqualTo(
            new CommandRun(
                0,
                """
                count  fault            hour                  firstAt               lastAt                lastCallId
                20     UpstreamTimeout  2026-01-01T02:00:00Z  2026-01-01T02:00:01Z  2026-01-01T02:30:00Z  c1
                """,
                ""));
  }

  @ParameterizedTest
  @CsvSource({
    "0.0875, 88 ms",
    "1.5, 1.5 s",
    "59.9996, 1 min",
    "90.25, 1 min 30.25 s",
    "90000, 1 d 1 h",
    "0.0000001, 0 ms",
  })
  void theScaleNamesTheTimeOfAMark(String seconds, String words) {
    server.returns(
        "audit.errors",
        """
        {"since":"2026-01-01T00:00:00Z","until":"2026-01-02T12:00:00Z","bucketSeconds":%s,
         "groups":[{"trend":"unclear","count":1,"sparkline":[1]}]}
        """
            .formatted(seconds));

    assertThat(server.run(new ErrorsCommand()).out())
        .endsWith(
            "from 2026-01-01T00:00:00Z until 2026-01-02T12:00:00Z, %s to each mark%n"
                .formatted(words));
  }

  @Test
  void noErrorsAreReported() {
    server.returns(
        "audit.errors",
        """
        {"groups":[],"upToDate":true}\
        """);

    assertThat(server.run(new ErrorsCommand())).isEqualTo(new CommandRun(0, "no errors\n", ""));
  }

  @Test
  void jsonOutputHasTheCounts() {
    server.returns(
        "audit.errors",
        """
        {"groups":[{"sparkline":[0,1]}]}\
        """);

    assertThat(FakeOperatorServer.document(server.run(new ErrorsCommand(), "--json")).toString())
        .isEqualTo(
            """
            {"groups":[{"sparkline":[0,1]}]}\
            """);
  }

  @Test
  void wrongUsageIsReported() {
    assertThat(server.run(new ErrorsCommand(), "--until", "soon").code()).isEqualTo(2);
    assertThat(server.run(new ErrorsCommand(), "more").code()).isEqualTo(2);
    assertThat(server.run(new ErrorsCommand(), "--by", "colour").code()).isEqualTo(2);
    assertThat(server.requests()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[]|''",
        "[0,0]|··",
        "[1,1]|██",
        "[0,1,2,3,4,5,6,7,8]|·▁▂▃▄▅▆▇█",
        "[1,1000000]|▁█",
        "[0,9007199254740993]|·█"
      })
  void aCountAboveZeroIsNeverDrawnAsZero(String counts, String drawn) throws Exception {
    assertThat(Sparkline.of(new JsonMapper().readTree(counts))).isEqualTo(drawn);
  }
}

package gatebook.api.http.tls;

import gatebook.api.http.CurrentLimits;
import gatebook.api.http.HttpServers;
import gatebook.api.http.ListenAddress;
import gatebook.api.http.Readiness;
import gatebook.api.http.TlsMode;
import gatebook.command.rules.GatewayLimits;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Both ports by TLS, without a gateway behind them. */
final class TlsServers {

  private TlsServers() {}

  static HttpServers open(TlsFiles files) {
    return open(files, GatewayLimits.DEFAULT);
  }

  static HttpServers open(TlsFiles files, GatewayLimits limits) {
    return switch (start(files, limits)) {
      case HttpServers.StartResult.Started(var servers) -> servers;
      case HttpServers.StartResult.Refused(var sentence) -> throw new AssertionError(sentence);
    };
  }

  static HttpServers.StartResult start(TlsFiles files, GatewayLimits limits) {
    ListenAddress anyPort =
        new ListenAddress(
            "127.0.0.1", 0, Set.of(), files.asksClients() ? TlsMode.MUTUAL : TlsMode.ON);
    return HttpServers.open(
        anyPort,
        anyPort,
        Optional.of(files),
        "1.2.3",
        () -> new Readiness.Status(Map.of(), null, "power"),
        new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
        context -> context.registerSingleton(CurrentLimits.class, () -> limits));
  }
}

package gatebook.api.http;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Probes for supervisors, load balancers and Prometheus; the admin port needs no token for them.
 */
@Controller
final class ProbeController {

  static final Set<String> PATHS = Set.of("/health", "/ready", "/metrics");

  private final BuildInfo buildInfo;
  private final Readiness readiness;
  private final PrometheusMeterRegistry metrics;

  ProbeController(BuildInfo buildInfo, Readiness readiness, PrometheusMeterRegistry metrics) {
    this.buildInfo = buildInfo;
    this.readiness = readiness;
    this.metrics = metrics;
  }

  record Health(String status, String version, long uptimeSeconds) {}

  record Ready(
      String status, Map<String, String> checks, @Nullable String reason, String durability) {}

  @Get("/health")
  Health health() {
    return new Health("ok", buildInfo.version(), uptimeSeconds());
  }

  @Get("/ready")
  HttpResponse<Ready> ready() {
    Readiness.Status now = readiness.now();
    return HttpResponse.<Ready>status(now.ready() ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
        .body(
            new Ready(
                now.ready() ? "ready" : "not_ready", now.checks(), now.reason(), now.durability()));
  }

  @Get("/metrics")
  @Produces("text/plain; version=0.0.4; charset=utf-8")
  String metrics() {
    return metrics.scrape();
  }

  private long uptimeSeconds() {
    return Duration.ofNanos(System.nanoTime() - buildInfo.startedNanos()).toSeconds();
  }
}

package gatebook.api.load;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** An nginx process: a plain reverse proxy before the stub, with reused connections to it. */
public final class Nginx implements AutoCloseable {
  private final Process process;
  private final URI url;

  private Nginx(Process process, URI url) {
    this.process = process;
    this.url = url;
  }

  /** Starts it. */
  public static Nginx before(URI stub, Path directory) throws IOException {
    int port = FreePorts.free();
    Path file =
        Files.writeString(
            directory.resolve("nginx.conf"), configuration(stub.getAuthority(), port, directory));
    Path log = directory.resolve("nginx.out");
    return new Nginx(
        new ProcessBuilder("nginx", "-p", directory.toString(), "-c", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start(),
        URI.create("http://127.0.0.1:%d%s".formatted(port, stub.getPath())));
  }

  private static String configuration(String stub, int port, Path directory) {
    return """
    daemon off;
    worker_processes auto;
    pid %1$s/nginx.pid;
    error_log %1$s/nginx.log;
    events { worker_connections 4096; }
    http {
      access_log off;
      client_body_temp_path %1$s/body;
      proxy_temp_path %1$s/proxy;
      fastcgi_temp_path %1$s/fastcgi;
      uwsgi_temp_path %1$s/uwsgi;
      scgi_temp_path %1$s/scgi;
      upstream stub {
        server %2$s;
        keepalive 256;
        keepalive_requests 100000000;
      }
      server {
        listen 127.0.0.1:%3$d backlog=1024;
        keepalive_requests 100000000;
        location / {
          proxy_pass http://stub;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
        }
      }
    }
    """
        .formatted(directory, stub, port);
  }

  /** The address that stands for the stub's. */
  public URI url() {
    return url;
  }

  public long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    process.destroy(); // the master ends its workers
    process.onExit().join();
  }
}

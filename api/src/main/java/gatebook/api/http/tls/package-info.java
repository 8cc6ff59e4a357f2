/** TLS at both ports and to sources: the files of certificates, and when they are read again. */
@NullMarked
package gatebook.api.http.tls;

import org.jspecify.annotations.NullMarked;

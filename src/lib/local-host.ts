const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** Whether the host of a URL is this very machine, where plain HTTP is as good as HTTPS (RFC 8252, 8.3). */
export const isLocalHost = ({ hostname }: URL): boolean => LOCAL_HOSTS.includes(hostname)

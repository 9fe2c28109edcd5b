// variant.hpp: variant.h for C++17. Handles free themselves, and failures are exceptions.
//
// A variant::value points into the bytes that it was read from, as variant_value does: the bytes, or the variant::file, must
// outlive it. variant.h describes each function.
#ifndef VARIANT_HPP
#define VARIANT_HPP

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <variant.h>

namespace variant {

// A failure: code, place and path beside the message.
class error : public std::runtime_error {
public:
    explicit error(const variant_error &details) : std::runtime_error(details.message), details_(details) {}
    variant_code code() const noexcept { return details_.code; }
    std::uint64_t offset() const noexcept { return details_.offset; }
    std::uint64_t frame() const noexcept { return details_.frame; }
    const char *path() const noexcept { return details_.path; }

private:
    variant_error details_;
};

namespace detail {

// Calls a function whose last argument is the place for details of a failure. Returns false for a code of `accepted`.
template <typename Function, typename... Arguments>
variant_code attempt(variant_code accepted, Function function, Arguments &&...arguments) {
    variant_error details = {};
    variant_code code = function(std::forward<Arguments>(arguments)..., &details);
    if (code != VARIANT_OK && code != accepted) throw error(details);
    return code;
}

template <typename Function, typename... Arguments>
void call(Function function, Arguments &&...arguments) {
    attempt(VARIANT_OK, function, std::forward<Arguments>(arguments)...);
}

} // namespace detail

// Options with all defaults. Members are those of variant_options.
inline variant_options options(std::uint8_t dialect = VARIANT_DIALECT_DETECT) {
    variant_options options = {};
    options.size = sizeof options;
    options.dialect = dialect;
    return options;
}

// Options for untrusted bytes.
inline variant_options server_options(std::uint8_t dialect) {
    variant_options result = options(dialect);
    result.limits = VARIANT_LIMITS_SERVER;
    return result;
}

// Bytes that the library allocated.
class bytes {
public:
    bytes() = default;
    bytes(bytes &&other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
    bytes &operator=(bytes &&other) noexcept { return std::swap(bytes_, other.bytes_), *this; }
    ~bytes() { variant_bytes_free(&bytes_); }
    const std::uint8_t *data() const noexcept { return bytes_.data; }
    std::size_t size() const noexcept { return bytes_.len; }
    std::string_view text() const noexcept { return {reinterpret_cast<const char *>(bytes_.data), bytes_.len}; }
    variant_bytes *out() noexcept { return variant_bytes_free(&bytes_), &bytes_; }

private:
    variant_bytes bytes_ = {};
};

class items;

// A value in the bytes of a packet or a file.
class value {
public:
    value() = default;
    value(const variant_value &raw) : raw_(raw) {}
    const variant_value &raw() const noexcept { return raw_; }
    std::uint8_t kind() const noexcept { return raw_.kind; }
    const char *kind_name() const noexcept { return variant_kind_name(raw_.kind); }
    std::uint64_t offset() const noexcept { return raw_.offset; }

    value at(const std::string &path) const { return read<variant_value>(variant_at, path.c_str()); }
    value operator[](const std::string &key) const { return read<variant_value>(variant_get, key.c_str()); }
    value operator[](std::size_t index) const { return read<variant_value>(variant_index, index); }
    // The value of a key; nothing if the container does not have the key.
    std::optional<value> find(const std::string &key) const {
        variant_value found;
        variant_code code = detail::attempt(VARIANT_ERROR_NOT_FOUND, variant_get, raw_, key.c_str(), &found);
        return code == VARIANT_OK ? std::optional<value>(found) : std::nullopt;
    }

    bool as_bool() const { return read<bool>(variant_as_bool); }
    std::int64_t as_int() const { return read<std::int64_t>(variant_as_int); }
    double as_double() const { return read<double>(variant_as_double); }
    std::uint64_t as_id() const { return read<std::uint64_t>(variant_as_id); }
    std::size_t count() const { return read<std::size_t>(variant_count); }
    variant_packed packed() const { return read<variant_packed>(variant_packed_of); }
    std::string_view as_text() const {
        const char *data;
        std::size_t len;
        detail::call(variant_as_text, raw_, &data, &len);
        return {data, len};
    }
    std::vector<double> as_doubles() const { return numbers<double>(variant_as_doubles); }
    std::vector<float> as_floats() const { return numbers<float>(variant_as_floats); }
    std::vector<std::int64_t> as_ints() const { return numbers<std::int64_t>(variant_as_ints); }

    bytes to_json(std::uint8_t form = VARIANT_JSON_PLAIN, bool is_pretty = false) const {
        bytes json;
        detail::call(variant_to_json, raw_, form, is_pretty, json.out());
        return json;
    }
    bytes to_text() const {
        bytes text;
        detail::call(variant_to_text, raw_, text.out());
        return text;
    }

    // `for (const variant_item &item : value.items())`
    inline class items items() const;

private:
    template <typename Result, typename Function, typename... Arguments>
    Result read(Function function, Arguments... arguments) const {
        Result result;
        detail::call(function, raw_, arguments..., &result);
        return result;
    }
    template <typename Number, typename Function>
    std::vector<Number> numbers(Function function) const {
        std::size_t count;
        detail::call(function, raw_, nullptr, std::size_t(0), &count);
        std::vector<Number> numbers(count);
        detail::call(function, raw_, numbers.data(), count, &count);
        return numbers;
    }

    variant_value raw_ = {};
};

// The elements, pairs or properties of a container.
class items {
public:
    class iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = variant_item;
        using difference_type = std::ptrdiff_t;
        using pointer = const variant_item *;
        using reference = const variant_item &;

        iterator() = default;
        explicit iterator(const variant_items &rest) : rest_(rest), has_item_(true) { ++*this; }
        reference operator*() const noexcept { return item_; }
        pointer operator->() const noexcept { return &item_; }
        iterator &operator++() {
            has_item_ = detail::attempt(VARIANT_END, variant_next, &rest_, &item_) == VARIANT_OK;
            return *this;
        }
        void operator++(int) { ++*this; }
        // Only the end is compared.
        bool operator==(const iterator &other) const noexcept { return has_item_ == other.has_item_; }
        bool operator!=(const iterator &other) const noexcept { return !(*this == other); }

    private:
        variant_items rest_ = {};
        variant_item item_ = {};
        bool has_item_ = false;
    };

    explicit items(const value &container) { detail::call(variant_items_of, container.raw(), &items_); }
    iterator begin() const { return iterator(items_); }
    iterator end() const { return iterator(); }

private:
    variant_items items_ = {};
};

inline items value::items() const { return variant::items(*this); }

// The text of a key, or the name of a property.
inline std::string_view name_of(const variant_item &item) { return {item.name.data, item.name.len}; }

// Validates a packet and returns its value.
inline value read(const std::uint8_t *data, std::size_t len, const variant_options &options) {
    variant_value root;
    detail::call(variant_read, data, len, &options, &root, static_cast<variant_summary *>(nullptr));
    return root;
}

inline value read(const bytes &packet, const variant_options &options) {
    return read(packet.data(), packet.size(), options);
}

// A save, a project.binary or another file.
class file {
public:
    explicit file(const std::string &path, const variant_options &options = variant::options()) {
        variant_file *handle;
        detail::call(variant_file_open, path.c_str(), &options, &handle);
        handle_.reset(handle);
    }
    // The bytes must outlive the file.
    file(const std::uint8_t *data, std::size_t len, const variant_options &options = variant::options()) {
        variant_file *handle;
        detail::call(variant_file_of_bytes, data, len, &options, &handle);
        handle_.reset(handle);
    }
    std::uint8_t dialect() const noexcept { return variant_file_dialect(handle_.get()); }
    std::uint8_t framing() const noexcept { return variant_file_framing(handle_.get()); }
    bool is_certain() const noexcept { return variant_file_is_certain(handle_.get()); }
    std::uint64_t count() const {
        std::uint64_t count;
        detail::call(variant_file_count, handle_.get(), &count);
        return count;
    }
    value at(const std::string &path) const {
        variant_value found;
        detail::call(variant_file_at, handle_.get(), path.c_str(), &found);
        return found;
    }
    // Value `number`, from 1.
    value operator[](std::uint64_t number) const {
        variant_value found;
        detail::call(variant_file_value, handle_.get(), number, &found);
        return found;
    }
    variant_summary validate() const {
        variant_summary summary;
        detail::call(variant_file_validate, handle_.get(), &summary);
        return summary;
    }
    bytes wrap(const std::uint8_t *plain, std::size_t len) const {
        bytes wrapped;
        detail::call(variant_file_wrap, handle_.get(), plain, len, wrapped.out());
        return wrapped;
    }

private:
    struct free {
        void operator()(variant_file *file) const noexcept { variant_file_free(file); }
    };
    std::unique_ptr<variant_file, free> handle_;
};

// Writes values. A failure is thrown by finish().
class writer {
public:
    explicit writer(const variant_options &options) {
        variant_writer *handle;
        detail::call(variant_writer_new, &options, &handle);
        handle_.reset(handle);
    }
    explicit writer(std::uint8_t dialect) : writer(variant::options(dialect)) {}

    writer &null() { return variant_write_null(get()), *this; }
    writer &boolean(bool value) { return variant_write_bool(get(), value), *this; }
    writer &integer(std::int64_t value) { return variant_write_int(get(), value), *this; }
    writer &number(double value) { return variant_write_double(get(), value), *this; }
    writer &text(std::string_view text) { return variant_write_text(get(), text.data(), text.size()), *this; }
    writer &string_name(std::string_view text) { return variant_write_string_name(get(), text.data(), text.size()), *this; }
    writer &key(const std::string &key) { return variant_write_key(get(), key.c_str()), *this; }
    writer &packed(const std::uint8_t *data, std::size_t len) { return variant_write_bytes(get(), data, len), *this; }
    writer &floats(std::uint8_t kind, const float *data, std::size_t count) {
        return variant_write_floats(get(), kind, data, count), *this;
    }
    writer &doubles(std::uint8_t kind, const double *data, std::size_t count) {
        return variant_write_doubles(get(), kind, data, count), *this;
    }
    writer &int32s(std::uint8_t kind, const std::int32_t *data, std::size_t count) {
        return variant_write_int32s(get(), kind, data, count), *this;
    }
    writer &literal(const std::string &source) { return variant_write_literal(get(), source.c_str()), *this; }
    writer &json(std::string_view text, std::uint8_t form = VARIANT_JSON_PLAIN) {
        return variant_write_json(get(), text.data(), text.size(), form), *this;
    }
    // Copies a value. A value of another dialect is refused unless its conversion changes nothing.
    writer &copy(const value &value) { return variant_write_value(get(), value.raw(), nullptr), *this; }
    // Converts a value; `losses` has a line for each change.
    writer &convert(const value &value, bytes &losses) {
        return variant_write_value(get(), value.raw(), losses.out()), *this;
    }
    writer &begin_array() { return variant_begin_array(get()), *this; }
    writer &begin_dictionary() { return variant_begin_dictionary(get()), *this; }
    writer &begin_object(const std::string &type) { return variant_begin_object(get(), type.c_str()), *this; }
    writer &property(const std::string &name) { return variant_write_property(get(), name.c_str()), *this; }
    writer &end() { return variant_end(get()), *this; }
    // Ends the value. The writer is then ready for the next value, also after a failure.
    bytes finish() {
        bytes written;
        detail::call(variant_writer_finish, get(), written.out());
        return written;
    }

private:
    struct free {
        void operator()(variant_writer *writer) const noexcept { variant_writer_free(writer); }
    };
    variant_writer *get() const noexcept { return handle_.get(); }
    std::unique_ptr<variant_writer, free> handle_;
};

} // namespace variant

#endif // VARIANT_HPP

export class CreateBookingUseCase {}
